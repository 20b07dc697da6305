// SPDX-License-Identifier: Apache-2.0
// Runs a target on kept inputs, the files of the folders in the arguments, where there is no libFuzzer.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "target.hpp"

int main(int count, char** arguments) {
    int replayed = 0;
    for (int i = 1; i < count; ++i) {
        for (const auto& entry : std::filesystem::directory_iterator{arguments[i]}) {
            std::ifstream file{entry.path(), std::ios::binary};
            const std::vector<char> input{std::istreambuf_iterator<char>{file}, {}};
            std::printf("%s\n", entry.path().filename().c_str());
            std::fflush(stdout);  // names the input if the target ends the process
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()),
                                   input.size());
            ++replayed;
        }
    }
    return replayed > 0 ? 0 : 1;
}
