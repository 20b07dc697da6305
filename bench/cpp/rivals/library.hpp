// SPDX-License-Identifier: Apache-2.0
// The same algorithms from several libraries, on the same values.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench::rivals {

/// The values of all algorithms, in [0, 1).
struct arrays {
    explicit arrays(std::size_t size);
    /// Sets `changed` to other random values: of the same ones a processor remembers which branches were taken.
    void renew();

    std::vector<float> x, y;           ///< random
    std::vector<float> same;           ///< as `x`; compilers see through a comparison with itself
    std::vector<float> first, second;  ///< sorted, half as many, each value about twice
    std::vector<float> half;           ///< every second value of `first`
    std::vector<float> out;            ///< where results go
    std::vector<float> changed;        ///< what an algorithm changes

  private:
    std::vector<float> pool_;  ///< from which `changed` is taken
    std::size_t at_ = 0;
};

/// One algorithm of a library.
struct algorithm {
    std::string name;
    std::function<void(arrays&)> run;
    bool needs_random = false;  ///< in `changed`, before each run
};

struct library {
    std::string name;
    std::vector<algorithm> algorithms;
};

[[nodiscard]] library pointsman_library();
[[nodiscard]] library standard_library();
[[nodiscard]] library tbb_library();
#if defined(POINTSMAN_BENCH_ONEDPL)
[[nodiscard]] library onedpl_library();
#endif

}  // namespace bench::rivals
