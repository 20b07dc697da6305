// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of timings: it is used or set aside, and a new record is kept.
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "pointsman/history/history.hpp"
#include "pointsman/tuning/stable_task_key.hpp"
#include "target.hpp"

namespace {

namespace fs = std::filesystem;
using pointsman::fuzz::check;

/// An empty folder of this process, in memory where the system has such a place.
const fs::path& folder() {
    static const fs::path made = [] {
        const fs::path memory{"/dev/shm"};
        const fs::path parent = fs::is_directory(memory) ? memory : fs::temp_directory_path();
        const fs::path own = parent / ("pointsman-fuzz-" + std::to_string(getpid()));
        fs::remove_all(own);
        fs::create_directories(own);
        std::atexit([] { fs::remove_all(folder()); });
        return own;
    }();
    return made;
}

pointsman::history_record record() {
    pointsman::history_record made;
    made.kind = pointsman::stable_task_key("fuzzed", "its code");
    made.resource = "a resource of the fuzz target";
    made.timings = {2, 100, 4.6, 0.1, 0};
    return made;
}

/// True for what a damaged file may want of the system: more memory or a larger file than there is.
bool is_of_system(int code) {
    return code == SQLITE_NOMEM || code == SQLITE_FULL || code == SQLITE_IOERR;
}

void use(const fs::path& path) {
    pointsman::history kept{path};
    check(!kept.set_aside() || fs::exists(*kept.set_aside()), "an unusable file is kept aside");
    try {
        for (const auto& each : kept.records()) {
            check(each.timings.is_possible(), "a record has numbers that no timings have");
        }
        const auto added = record();
        kept.add({&added, 1}, std::chrono::sys_seconds{std::chrono::seconds{1}});
        bool is_found = false;
        for (const auto& each : kept.records()) {
            is_found |= each.kind == added.kind && each.resource == added.resource;
        }
        check(is_found, "a record that was added is lost");
        kept.pin({added.kind, added.resource});
        bool is_pinned = false;
        for (const auto& each : kept.pins()) {
            is_pinned |= each.kind == added.kind && each.resource == added.resource;
        }
        check(is_pinned, "a pin that was added is lost");
        const auto speed = kept.speed_of(added.resource);
        check(!speed || speed->is_possible(), "a speed has numbers that no measurement has");
        (void)kept.prune(std::chrono::sys_seconds{std::chrono::seconds{2}});
    } catch (const pointsman::history_error&) {
        // Damage in a page that opening the file does not read.
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (const auto& each : fs::directory_iterator{folder()}) {
        fs::remove(each.path());
    }
    const fs::path path = folder() / "timings.db";
    std::ofstream{path, std::ios::binary}.write(reinterpret_cast<const char*>(data),
                                                static_cast<std::streamsize>(size));
    try {
        use(path);
    } catch (const pointsman::history_error& failed) {
        check(is_of_system(failed.code()), "a file that can be opened is used or set aside");
    }
    return 0;
}
