// SPDX-License-Identifier: Apache-2.0
// snapshot_cell in a process that enters a sandbox, where the kernel refuses membarrier.
// link: -pthread
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/membarrier.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <thread>
#include <vector>

#include "pointsman/policy/detail/snapshot.hpp"
#include "support/counted.hpp"

namespace pointsman::test {
namespace {

using detail::make_ref;

struct numbered : detail::ref_counted, counted<numbered> {
    explicit numbered(int n) : number{n}, check{-n} {}
    ~numbered() override { check = 0; }
    int number;
    int check;
};

bool is_membarrier_there() { return syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) > 0; }

/// Makes the kernel refuse membarrier to this process from now on.
bool refuse_membarrier() {
    std::array<sock_filter, 4> rules{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    }};
    const sock_fprog filter{rules.size(), rules.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(Membarrier, refused_later_keeps_replaced_objects_until_readers_are_ordered) {
    detail::snapshot_cell<numbered> cell;
    cell.replace(make_ref<numbered>(1));
    if (!is_membarrier_there() || !refuse_membarrier()) {
        GTEST_SKIP() << "this kernel has no membarrier, or refuses sandboxes";
    }
    cell.replace(make_ref<numbered>(2));
    EXPECT_EQ(numbered::alive(), 2) << "a reader of the first might not be seen";
    cell.replace(make_ref<numbered>(3));
    EXPECT_EQ(numbered::alive(), 1);

    std::atomic<bool> stop{false};
    std::jthread reader{[&] {
        while (!stop) {
            const auto seen = cell.read();
            ASSERT_EQ(seen->number, -seen->check);
        }
    }};
    for (int n = 0; n < 2000; ++n) {
        cell.replace(make_ref<numbered>(n));
    }
    stop = true;
    reader.join();
    cell.replace(make_ref<numbered>(0));
    EXPECT_EQ(numbered::alive(), 1);
}

}  // namespace
}  // namespace pointsman::test
