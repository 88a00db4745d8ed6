// Counts the instructions that a program executes, address by address, between two calls of a
// function: works for every instruction that the processor has, unlike emulators.
//
//   single_step ADDRESS SKIP CALLS PROGRAM [ARGUMENT..]
//
// ADDRESS is that of the function in the file PROGRAM, in hexadecimal. Runs PROGRAM until a thread has
// called the function SKIP times, steps that thread until it has called it CALLS times more, and ends
// PROGRAM. Prints lines of an address in the file and a count, and `elsewhere` with the number of steps
// in other files, such as copies by the C library.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static unsigned long pc_of(pid_t thread) {
    errno = 0;
    unsigned long pc = (unsigned long)ptrace(PTRACE_PEEKUSER, thread, offsetof(struct user_regs_struct, rip), 0);
    if (errno)
        fail("read the program counter");
    return pc;
}

static void set_pc(pid_t thread, unsigned long pc) {
    if (ptrace(PTRACE_POKEUSER, thread, offsetof(struct user_regs_struct, rip), pc))
        fail("set the program counter");
}

// Where the program's file is mapped, and the end of its last mapping.
static void range_of(pid_t child, const char *program, unsigned long *low, unsigned long *high) {
    char path[64], line[4096], *real = realpath(program, NULL);
    snprintf(path, sizeof path, "/proc/%d/maps", child);
    FILE *maps = fopen(path, "r");
    if (!maps || !real)
        fail("read the mappings");
    *low = *high = 0;
    while (fgets(line, sizeof line, maps)) {
        unsigned long first, end;
        if (!strstr(line, real) || sscanf(line, "%lx-%lx", &first, &end) != 2)
            continue;
        if (!*low)
            *low = first;
        *high = end;
    }
    fclose(maps);
}

int main(int count, char **arguments) {
    if (count < 5) {
        fprintf(stderr, "single_step ADDRESS SKIP CALLS PROGRAM [ARGUMENT..]\n");
        return 64;
    }
    unsigned long offset = strtoul(arguments[1], NULL, 16);
    long skip = atol(arguments[2]), calls = atol(arguments[3]);
    // A step on another processor costs ten times as much.
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one))
        fail("stay on one processor");
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(arguments[4], arguments + 4);
        fail("start the program");
    }
    int status;
    if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status))
        fail("wait for the program");
    ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
    unsigned long low, high;
    range_of(child, arguments[4], &low, &high);
    unsigned long entry = low + offset;
    long original = ptrace(PTRACE_PEEKTEXT, child, entry, 0);
    long trap = (original & ~0xffL) | 0xcc;
    ptrace(PTRACE_POKETEXT, child, entry, trap);
    ptrace(PTRACE_CONT, child, 0, 0);

    // All threads run until one has called the function often enough.
    pid_t stepped = 0;
    while (!stepped) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0)
            fail("wait for a thread");
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == child) {
                fprintf(stderr, "the program ended before call %ld\n", skip + calls);
                return 1;
            }
            continue;
        }
        int signal = WSTOPSIG(status);
        int is_new = status >> 16 == PTRACE_EVENT_CLONE || signal == SIGSTOP;
        if (!is_new && signal == SIGTRAP && pc_of(thread) == entry + 1) {
            set_pc(thread, entry);
            if (skip-- == 0) {
                stepped = thread;
                break;
            }
            // Step over the function's first instruction.
            ptrace(PTRACE_POKETEXT, thread, entry, original);
            ptrace(PTRACE_SINGLESTEP, thread, 0, 0);
            if (waitpid(thread, &status, __WALL) < 0)
                fail("step");
            ptrace(PTRACE_POKETEXT, thread, entry, trap);
            ptrace(PTRACE_CONT, thread, 0, 0);
            continue;
        }
        ptrace(PTRACE_CONT, thread, 0, is_new || signal == SIGTRAP ? 0 : signal);
    }

    ptrace(PTRACE_POKETEXT, stepped, entry, original);
    unsigned *counts = calloc(high - low, sizeof *counts);
    unsigned long elsewhere = 0;
    if (!counts)
        fail("memory");
    for (;;) {
        unsigned long pc = pc_of(stepped);
        if (pc == entry && calls-- == 0)
            break;
        if (pc >= low && pc < high)
            counts[pc - low]++;
        else
            elsewhere++;
        ptrace(PTRACE_SINGLESTEP, stepped, 0, 0);
        if (waitpid(stepped, &status, __WALL) < 0 || !WIFSTOPPED(status))
            fail("step");
    }
    kill(child, SIGKILL);
    for (unsigned long place = 0; place < high - low; place++)
        if (counts[place])
            printf("%lx %u\n", place, counts[place]);
    printf("elsewhere %lu\n", elsewhere);
    return 0;
}
