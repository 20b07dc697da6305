// SPDX-License-Identifier: Apache-2.0
// Lets one process at a time replace a file of a folder.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

namespace pointsman::detail {

/// Waits until no other process holds a lock of the folder of `file`. A file system without locks gives none.
class folder_lock {
  public:
    explicit folder_lock(const std::filesystem::path& file)
        : folder_{::open(file.has_parent_path() ? file.parent_path().c_str() : ".",
                         O_RDONLY | O_DIRECTORY | O_CLOEXEC)} {
        if (folder_ >= 0) {
            ::flock(folder_, LOCK_EX);
        }
    }
    folder_lock(const folder_lock&) = delete;
    folder_lock& operator=(const folder_lock&) = delete;
    ~folder_lock() {
        if (folder_ >= 0) {
            ::close(folder_);  // which unlocks it
        }
    }

  private:
    int folder_;
};

}  // namespace pointsman::detail
