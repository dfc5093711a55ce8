# SPDX-License-Identifier: GPL-2.0-only
"""A made-up recording as perf script prints it, and what it amounts to.

The numbers are counted here while the events are written, without any of the
program's code.
"""
import random

SCHEDULER = ["__schedule", "schedule"]
ENTRY = ["do_syscall_64", "entry_SYSCALL_64_after_hwframe"]

# Leaf first, below the scheduler: kernel frames, user frames, the site that
# sites(5) gives them, whether lock events surround the sleep.
STACKS = [
    (["schedule_preempt_disabled", "rwsem_down_write_slowpath", "down_write",
      "unlink_anon_vmas.isra.0", "free_pgtables", "exit_mmap"], ["_exit", "work", "main"],
     ("rwsem:W", "unlink_anon_vmas"), "WRITE"),
    (["schedule_preempt_disabled", "rwsem_down_write_slowpath", "down_write",
      "anon_vma_clone", "anon_vma_fork", "dup_mmap.constprop.3"], ["fork", "work", "main"],
     ("rwsem:W", "anon_vma_clone"), "WRITE"),
    (["schedule_preempt_disabled", "rwsem_down_read_slowpath", "down_read",
      "do_madvise"], ["madvise", "main"], ("rwsem:R", "do_madvise"), "READ"),
    (["schedule_preempt_disabled", "__mutex_lock.constprop.0", "mutex_lock",
      "odd_driver_ioctl"], ["ioctl", "work", "main"], ("mutex", "odd_driver_ioctl"), "MUTEX"),
    (["anon_pipe_read", "vfs_read", "ksys_read"], ["read", "main"],
     ("pipe", "anon_pipe_read"), None),
    (["anon_pipe_read", "vfs_read", "ksys_read"],
     ["read", "</script><img src=x onerror=alert(1)>", "main"],
     ("pipe", "anon_pipe_read"), None),
    (["do_wait", "kernel_wait4"], ["wait4", "std::map<int, char>::find(int, \"x\")", "main"],
     ("wait4", "do_wait"), None),
]
COMMS = ["fork-exit", "<b>bold</b>", "semi;colon", "two words", "caf\u00e9"]
SUFFIXES = (".isra.0", ".constprop.0", ".constprop.3")


def stripped(name):
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name


class Task:
    def __init__(self, tid):
        self.tid = tid
        self.comm = COMMS[tid % len(COMMS)]
        self.stack = None  # of the sleep that goes on
        self.out = None
        self.begin = None  # of the acquisition that goes on
        self.slept = 0


class Recording:
    """events: the text; paths: {(comm, names from the outermost): weights}"""

    def __init__(self, seed, switches):
        self.random = random.Random(seed)
        self.time = 1000 * 10**9
        self.text = []
        self.paths = {}
        self.kinds = []  # (time, kind) of each switch
        self.sites = {}  # what each site's sleeps and waits add up to
        self.tasks = [Task(100 + i) for i in range(12)]
        self.run(switches)

    def add(self, task, index, **weights):
        kernel, user, site, _ = STACKS[index]
        names = [stripped(n) for n in kernel if n != "schedule_preempt_disabled"] + ENTRY + user
        path = self.paths.setdefault((task.comm, tuple(reversed(names))), {})
        total = self.sites.setdefault(site, {})
        for key, value in weights.items():
            path[key] = path.get(key, 0) + value
            total[key] = total.get(key, 0) + value

    def head(self, task, event):
        self.text.append("%-15s %d/%d [000] %d.%09d: %s" % (
            task.comm, task.tid, task.tid, self.time // 10**9, self.time % 10**9, event))

    def frames(self, index, scheduler):
        kernel, user, _, _ = STACKS[index]
        lines = [(n, "[kernel.kallsyms]") for n in scheduler + kernel + ENTRY]
        lines += [(n, "/usr/bin/work") for n in user]
        for name, dso in lines:
            address = 0xffffffff81000000 if dso.startswith("[") else 0x401000
            address += sum(map(ord, name)) * 16
            self.text.append("\t%16x %s (%s)" % (address, name, dso))
        self.text.append("")

    def switch(self, task, following, state, index):
        self.head(task, "sched:sched_switch: prev_comm=%s prev_pid=%d prev_prio=120"
                  " prev_state=%s ==> next_comm=%s next_pid=%d next_prio=120" % (
                      task.comm, task.tid, state, following.comm, following.tid))
        self.frames(index, SCHEDULER)
        self.kinds.append((self.time, "preemptions" if state == "R" else "sleeps"))

    def pass_time(self):
        self.time += self.random.randint(500, 400000)

    def go_to_sleep(self, task, following):
        index = self.random.randrange(len(STACKS))
        flags = STACKS[index][3]
        if flags:
            self.head(task, "lock:contention_begin: 0xffff888%09x (flags=%s)" % (
                index * 64, flags))
            self.frames(index, [])
            task.begin = self.time
            self.pass_time()
        self.switch(task, following, "D" if flags else "S", index)
        self.add(task, index, sleeps=1)
        task.stack, task.out = index, self.time

    def wake_up(self, task):
        if task.out is not None:
            self.add(task, task.stack, off_cpu_ns=self.time - task.out, woken=1)
            task.out = None

    def end_wait(self, task):
        if task.begin is None:
            return
        self.pass_time()
        self.head(task, "lock:contention_end: 0xffff888%09x (ret=0)" % (task.stack * 64))
        self.frames(task.stack, [])
        self.add(task, task.stack, wait_ns=self.time - task.begin, acquisitions=1)
        task.begin = None

    def run(self, switches):
        task = self.tasks[0]
        for _ in range(switches):
            following = self.random.choice([t for t in self.tasks if t is not task])
            self.pass_time()
            if self.random.random() < 0.1:
                self.switch(task, following, "R", 4)
            else:
                self.go_to_sleep(task, following)
            self.wake_up(following)
            task = following
            self.end_wait(task)

    def without_comm(self):
        paths = {}
        for (_, names), weights in self.paths.items():
            into = paths.setdefault(names, {})
            for key, value in weights.items():
                into[key] = into.get(key, 0) + value
        return paths

    def total(self, weight):
        return sum(w.get(weight, 0) for w in self.paths.values())
