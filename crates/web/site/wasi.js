// The system of the module: files in memory, a clock and random bytes, by the functions of WASI
// (preview 1) that Rust's standard library calls. Standard input has the request, and standard output
// gets the answer.

const ERROR = { none: 0, badFile: 8, exists: 20, invalid: 28, isFolder: 31, missing: 44, unsupported: 58, notFolder: 54, notEmpty: 55 };
const TYPE = { device: 2, folder: 3, file: 4 };
const CREATE = 1, FOLDER = 2, NEW = 4, TRUNCATE = 8; // flags of path_open
const APPEND = 1; // a flag of an open file
const ROOT = 3; // the file descriptor of the only folder that is given

let nodes = 0;
const newFolder = () => ({ id: ++nodes, type: TYPE.folder, entries: new Map(), time: Date.now() });
const newFile = () => ({ id: ++nodes, type: TYPE.file, bytes: new Uint8Array(0), size: 0, time: Date.now() });

/** Sets the size of a file; new bytes are 0. */
function resize(file, size) {
  if (size > file.bytes.length) {
    const bytes = new Uint8Array(Math.max(size, 2 * file.bytes.length, 4096));
    bytes.set(file.bytes.subarray(0, file.size));
    file.bytes = bytes;
  }
  if (size < file.size) file.bytes.fill(0, size, file.size);
  file.size = size;
  file.time = Date.now();
}

/** A system: its `imports`, and the `memory` of the module, which has to be set. */
export class System {
  memory = null;
  input = new Uint8Array(0);
  output = [];
  /** Takes the status of a job, in pieces, and returns whether it should go on. */
  watch = () => true;
  #read = 0;
  #errors = "";
  #root = newFolder();
  #open = new Map([[0, { type: TYPE.device }], [1, { type: TYPE.device }], [2, { type: TYPE.device }], [ROOT, { node: this.#root }]]);
  #next = ROOT + 1;

  /** Gives standard input these bytes, and empties standard output. */
  begin(input) {
    [this.input, this.#read, this.output] = [input, 0, []];
  }

  get #view() { return new DataView(this.memory.buffer); }
  #bytes(at, length) { return new Uint8Array(this.memory.buffer, at, length); }
  #text(at, length) { return new TextDecoder().decode(this.#bytes(at, length)); }

  /** The folder, the name and the node of a path from an open folder; the node may be missing. */
  #find(fd, at, length) {
    const names = this.#text(at, length).split("/").filter((name) => name !== "" && name !== ".");
    let [folder, name, node] = [null, "", this.#open.get(fd)?.node];
    for (const next of names) {
      if (!node) return { error: ERROR.missing };
      if (node.type !== TYPE.folder) return { error: ERROR.notFolder };
      [folder, name, node] = [node, next, node.entries.get(next)];
    }
    return { folder, name, node };
  }

  #openNode(node, append = false) {
    this.#open.set(this.#next, { node, place: 0, append });
    return this.#next++;
  }

  /** The open file of a descriptor; undefined if it is none. */
  #file(fd) {
    const open = this.#open.get(fd);
    return open?.node?.type === TYPE.file ? open : undefined;
  }

  /** Reads into or writes from pieces of memory; `move` moves a piece and returns its length. */
  #pieces(list, count, moved, move) {
    let all = 0;
    for (let piece = list; piece < list + 8 * count; piece += 8) {
      const [at, length] = [this.#view.getUint32(piece, true), this.#view.getUint32(piece + 4, true)];
      const done = move(this.#bytes(at, length));
      all += done;
      if (done < length) break;
    }
    this.#view.setUint32(moved, all, true);
    return ERROR.none;
  }

  #readAt(file, place, piece) {
    const part = file.bytes.subarray(place, Math.min(file.size, place + piece.length));
    piece.set(part);
    return part.length;
  }

  #writeAt(file, place, piece) {
    if (place + piece.length > file.size) resize(file, place + piece.length);
    file.bytes.set(piece, place);
    file.time = Date.now();
    return piece.length;
  }

  #print(text) {
    const lines = (this.#errors + text).split("\n");
    this.#errors = lines.pop();
    for (const line of lines) console.error(line);
  }

  #status(node, at) {
    const view = this.#view;
    this.#bytes(at, 64).fill(0);
    view.setBigUint64(at + 8, BigInt(node.id ?? 0), true);
    view.setUint8(at + 16, node.type);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(node.size ?? 0), true);
    for (const place of [40, 48, 56]) view.setBigUint64(at + place, BigInt(node.time ?? 0) * 1_000_000n, true);
    return ERROR.none;
  }

  /** Removes a node of this type. */
  #remove(fd, at, length, type) {
    const { error, folder, name, node } = this.#find(fd, at, length);
    if (error || !node || !folder) return error ?? ERROR.missing;
    if (node.type !== type) return type === TYPE.file ? ERROR.isFolder : ERROR.notFolder;
    if (type === TYPE.folder && node.entries.size > 0) return ERROR.notEmpty;
    folder.entries.delete(name);
    return ERROR.none;
  }

  /** Gives a node another name; the old one goes if it is `moved`. */
  #name([from, to], moved) {
    if (from.error || !from.node) return from.error ?? ERROR.missing;
    if (to.error || !to.folder) return to.error ?? ERROR.invalid;
    if (!moved && to.node) return ERROR.exists;
    if (to.node?.type === TYPE.folder && to.node.entries.size > 0) return ERROR.notEmpty;
    if (moved) from.folder.entries.delete(from.name);
    to.folder.entries.set(to.name, from.node);
    return ERROR.none;
  }

  /** The functions of the module `wasi_snapshot_preview1`; what is not here is unsupported. */
  functions = {
    args_sizes_get: (count, size) => (this.#view.setUint32(count, 0, true), this.#view.setUint32(size, 0, true), 0),
    args_get: () => 0,
    environ_sizes_get: (count, size) => (this.#view.setUint32(count, 0, true), this.#view.setUint32(size, 0, true), 0),
    environ_get: () => 0,
    sched_yield: () => 0,
    clock_time_get: (clock, _, at) => {
      // The first clock is that of days, the others only go forward.
      const milliseconds = clock === 0 ? performance.timeOrigin + performance.now() : performance.now();
      this.#view.setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true);
      return ERROR.none;
    },
    random_get: (at, length) => {
      for (let begun = 0; begun < length; begun += 65536) {
        crypto.getRandomValues(this.#bytes(at + begun, Math.min(65536, length - begun)));
      }
      return ERROR.none;
    },
    proc_exit: (code) => { throw new Error(`the module ended with exit code ${code}`); },
    // The only event is a time. No other thread can use the processor meanwhile.
    poll_oneoff: (asked, events, count, happened) => {
      const view = this.#view;
      let wait = Infinity;
      for (let one = 0; one < count; one += 1) {
        if (view.getUint8(asked + 48 * one + 8) === 0) wait = Math.min(wait, Number(view.getBigUint64(asked + 48 * one + 24, true)) / 1e6);
      }
      const end = performance.now() + (wait === Infinity ? 0 : wait);
      while (performance.now() < end);
      this.#bytes(events, 32).fill(0);
      view.setBigUint64(events, view.getBigUint64(asked, true), true);
      view.setUint32(happened, 1, true);
      return ERROR.none;
    },
    fd_prestat_get: (fd, at) => {
      if (fd !== ROOT) return ERROR.badFile;
      this.#view.setUint32(at, 0, true);
      this.#view.setUint32(at + 4, 1, true);
      return ERROR.none;
    },
    fd_prestat_dir_name: (fd, at) => (this.#bytes(at, 1).set([0x2f]), 0),
    fd_fdstat_get: (fd, at) => {
      const open = this.#open.get(fd);
      if (!open) return ERROR.badFile;
      this.#bytes(at, 24).fill(0);
      this.#view.setUint8(at, open.type ?? open.node.type);
      this.#view.setUint16(at + 2, open.append ? APPEND : 0, true);
      for (const rights of [8, 16]) this.#view.setBigUint64(at + rights, (1n << 30n) - 1n, true);
      return ERROR.none;
    },
    fd_fdstat_set_flags: () => 0,
    fd_filestat_get: (fd, at) => {
      const open = this.#open.get(fd);
      return open ? this.#status(open.node ?? open, at) : ERROR.badFile;
    },
    fd_filestat_set_size: (fd, size) => {
      const open = this.#file(fd);
      if (!open) return ERROR.badFile;
      resize(open.node, Number(size));
      return ERROR.none;
    },
    fd_filestat_set_times: () => 0,
    path_filestat_set_times: () => 0,
    fd_sync: () => 0,
    fd_datasync: () => 0,
    fd_close: (fd) => (this.#open.delete(fd) ? ERROR.none : ERROR.badFile),
    fd_seek: (fd, offset, from, at) => {
      const open = this.#file(fd);
      if (!open) return ERROR.badFile;
      const place = [0, open.place, open.node.size][from] + Number(offset);
      if (!(place >= 0)) return ERROR.invalid;
      open.place = place;
      this.#view.setBigUint64(at, BigInt(place), true);
      return ERROR.none;
    },
    fd_tell: (fd, at) => this.functions.fd_seek(fd, 0n, 1, at),
    fd_read: (fd, list, count, moved) => {
      if (fd === 0) {
        // What was written before this reading is the status of a job.
        const status = this.output.splice(0);
        if (status.length > 0 && !this.watch(status)) return this.#pieces(list, count, moved, (piece) => piece.fill(1, 0, 1) && 1);
        return this.#pieces(list, count, moved, (piece) => {
          const part = this.input.subarray(this.#read, this.#read + piece.length);
          piece.set(part);
          this.#read += part.length;
          return part.length;
        });
      }
      const open = this.#file(fd);
      if (!open) return ERROR.badFile;
      return this.#pieces(list, count, moved, (piece) => {
        const done = this.#readAt(open.node, open.place, piece);
        open.place += done;
        return done;
      });
    },
    fd_pread: (fd, list, count, offset, moved) => {
      const open = this.#file(fd);
      let place = Number(offset);
      if (!open) return ERROR.badFile;
      return this.#pieces(list, count, moved, (piece) => {
        const done = this.#readAt(open.node, place, piece);
        place += done;
        return done;
      });
    },
    fd_write: (fd, list, count, moved) => {
      const open = this.#file(fd);
      if (!open && fd !== 1 && fd !== 2) return ERROR.badFile;
      return this.#pieces(list, count, moved, (piece) => {
        if (fd === 1) this.output.push(piece.slice());
        else if (fd === 2) this.#print(new TextDecoder().decode(piece));
        else {
          if (open.append) open.place = open.node.size;
          open.place += this.#writeAt(open.node, open.place, piece);
        }
        return piece.length;
      });
    },
    fd_pwrite: (fd, list, count, offset, moved) => {
      const open = this.#file(fd);
      let place = Number(offset);
      if (!open) return ERROR.badFile;
      return this.#pieces(list, count, moved, (piece) => {
        place += this.#writeAt(open.node, place, piece);
        return piece.length;
      });
    },
    fd_readdir: (fd, at, length, cookie, used) => {
      const folder = this.#open.get(fd)?.node;
      if (folder?.type !== TYPE.folder) return ERROR.notFolder;
      const all = [...folder.entries];
      let end = at;
      for (let place = Number(cookie); place < all.length && end < at + length; place += 1) {
        const [name, node] = all[place];
        const bytes = new TextEncoder().encode(name);
        const entry = new Uint8Array(24 + bytes.length);
        const view = new DataView(entry.buffer);
        view.setBigUint64(0, BigInt(place + 1), true);
        view.setBigUint64(8, BigInt(node.id), true);
        view.setUint32(16, bytes.length, true);
        view.setUint8(20, node.type);
        entry.set(bytes, 24);
        const part = entry.subarray(0, at + length - end);
        this.#bytes(end, part.length).set(part);
        end += part.length;
      }
      this.#view.setUint32(used, end - at, true);
      return ERROR.none;
    },
    path_open: (fd, _, path, length, how, __, ___, flags, at) => {
      let { error, folder, name, node } = this.#find(fd, path, length);
      if (error) return error;
      if (node && how & NEW) return ERROR.exists;
      if (!node && !(how & CREATE)) return ERROR.missing;
      if (node && node.type !== TYPE.folder && how & FOLDER) return ERROR.notFolder;
      if (!node) folder.entries.set(name, (node = newFile()));
      else if (how & TRUNCATE && node.type === TYPE.file) resize(node, 0);
      this.#view.setUint32(at, this.#openNode(node, (flags & APPEND) !== 0), true);
      return ERROR.none;
    },
    path_create_directory: (fd, path, length) => {
      const { error, folder, name, node } = this.#find(fd, path, length);
      if (error || node) return error ?? ERROR.exists;
      folder.entries.set(name, newFolder());
      return ERROR.none;
    },
    path_filestat_get: (fd, _, path, length, at) => {
      const { error, node } = this.#find(fd, path, length);
      return error || !node ? (error ?? ERROR.missing) : this.#status(node, at);
    },
    path_readlink: (fd, path, length) => this.#find(fd, path, length).node ? ERROR.invalid : ERROR.missing,
    path_unlink_file: (fd, path, length) => this.#remove(fd, path, length, TYPE.file),
    path_remove_directory: (fd, path, length) => this.#remove(fd, path, length, TYPE.folder),
    path_rename: (fd, path, length, ...to) => this.#name([this.#find(fd, path, length), this.#find(...to)], true),
    path_link: (fd, _, path, length, ...to) => this.#name([this.#find(fd, path, length), this.#find(...to)], false),
  };

  /** The imports of this compiled module. */
  imports(module) {
    const asked = WebAssembly.Module.imports(module).map(({ name }) => name);
    const unsupported = () => ERROR.unsupported;
    return { wasi_snapshot_preview1: Object.fromEntries(asked.map((name) => [name, this.functions[name] ?? unsupported])) };
  }
}
