// Ranks laid out as a closed grid of two or three dimensions, as near to a square as their number allows.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace msgauge {

struct CartesianGrid {
  std::array<int, 3> extent{1, 1, 1};

  // Prime factors, largest first, each to the dimension that is shortest so far; extents in falling order.
  CartesianGrid(int ranks, int dimensions) {
    std::vector<int> factors;
    for (int prime = 2; ranks > 1; ++prime)
      for (; ranks % prime == 0; ranks /= prime) factors.push_back(prime);
    for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor)
      *std::min_element(extent.begin(), extent.begin() + dimensions) *= *factor;
    std::sort(extent.begin(), extent.begin() + dimensions, std::greater<>());
  }

  // The rank one step further along a dimension (`step` +1 or -1), round the edge.
  int neighbour(int rank, int dimension, int step) const {
    int stride = 1;
    for (int i = 0; i < dimension; ++i) stride *= extent[static_cast<std::size_t>(i)];
    const int length = extent[static_cast<std::size_t>(dimension)];
    const int place = rank / stride % length;
    return rank + ((place + step + length) % length - place) * stride;
  }
};

}  // namespace msgauge
