// Solves the deals on standard input, one in PBN per line, with DDS's own batch function on all
// cores. Prints 20 hexadecimal digits for each: north, east, south and west in no-trumps, spades,
// hearts, diamonds and clubs. Prints the seconds of the batch to standard error.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include <api/dll.h>

int main() {
  std::vector<DdTableDealPBN> deals;
  for (std::string line; std::getline(std::cin, line);) {
    DdTableDealPBN deal{};
    std::strncpy(deal.cards, line.c_str(), sizeof deal.cards - 1);
    deals.push_back(deal);
  }
  std::vector<DdTableResults> results(deals.size());
  int all[DDS_STRAINS] = {0, 0, 0, 0, 0};
  InitializeStaticMemory();
  const auto begun = std::chrono::steady_clock::now();
  const int code = CalcAllTablesPBNX(static_cast<int>(deals.size()), deals.data(), -1, all,
                                     results.data(), nullptr, 0);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  if (code != RETURN_NO_FAULT) return 1;
  for (const auto& result : results) {
    for (const int strain : {4, 0, 1, 2, 3})
      for (int seat = 0; seat < 4; ++seat) std::printf("%x", result.res_table[strain][seat]);
    std::printf("\n");
  }
  std::fprintf(stderr, "%.3f\n", taken.count());
}
