"""Seccomp: from now on the kernel refuses this process what reading a file never needs.

A list of what is refused, not of what is allowed: the latter differs between versions of Python, its
libraries and the C library, and a missing call would look like a damaged file.
"""

import ctypes
import errno
import os
import struct
from collections.abc import Iterator, Sequence

from formats.base.kernel import prctl

SET_SECCOMP, FILTER = 22, 2

# Numbers by machine: x86_64, aarch64; None where it has no such call, one number where they agree.
REFUSED: dict[str, tuple[int | None, int | None] | int] = {
    # the network, other processes by sockets, and the ways around this filter
    "socket": (41, 198),
    "socketpair": (53, 199),
    "io_uring_setup": 425,
    # programs
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_send_signal": 424,
    "pidfd_open": 434,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setaffinity": (203, 122),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # memory shared with other processes
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "memfd_create": (319, 279),
    # what Landlock leaves open about files
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": 452,
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "truncate": (76, 45),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": 463,
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": 466,
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # the machine
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    "open_tree_attr": 467,
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": 443,
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "syslog": (103, 116),
    "personality": (135, 92),
    "vhangup": (153, 58),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
}
CLONE: tuple[int, int] = (56, 220)
CLONE3 = 435  # its flags lie where no filter can look; the C library falls back to clone
CLONE_THREAD = 0x10000
SIGNALS: dict[str, tuple[int, int]] = {"kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131)}
PRLIMIT: tuple[int, int] = (302, 261)
FCNTL: tuple[int, int] = (72, 25)
SETS_OWNER = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: the kernel then signals whom they name

MACHINES = ("x86_64", "aarch64")
ARCHITECTURES = (0xC000003E, 0xC00000B7)  # as audit names them
X32 = 0x40000000  # calls of another convention, with numbers of their own

# Of the classic BPF machine: load a word; jump if equal, at least, any bit set; return.
LOAD, IF_EQUAL, IF_AT_LEAST, IF_SET, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCHITECTURE_AT, FIRST_ARGUMENT_AT, SECOND_ARGUMENT_AT = 0, 4, 16, 24
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000

Instruction = tuple[int, int, int, int]  # code, steps if true, steps if false, value


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def restrict() -> str:
    """Needs no_new_privs. Says how many calls are refused. Raises OSError."""
    name = os.uname().machine
    if name not in MACHINES or struct.calcsize("P") != 8:
        raise OSError(errno.ENOSYS, f"no list of system calls for {name}")
    program = list(_filter(MACHINES.index(name), os.getpid()))
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in program)
    prctl(SET_SECCOMP, FILTER, ctypes.byref(_Program(length=len(program), instructions=code)))
    return f"seccomp, {len(REFUSED)} refused"


def _filter(machine: int, own: int) -> Iterator[Instruction]:
    """Threads may be started, and signals be sent to this process itself."""
    yield LOAD, 0, 0, ARCHITECTURE_AT
    yield IF_EQUAL, 1, 0, ARCHITECTURES[machine]
    yield RETURN, 0, 0, KILL
    yield LOAD, 0, 0, NUMBER_AT
    yield IF_AT_LEAST, 0, 1, X32
    yield RETURN, 0, 0, KILL
    for numbers in REFUSED.values():
        number = numbers if isinstance(numbers, int) else numbers[machine]
        if number is not None:
            yield from _refuse(number, errno.EPERM)
    yield from _refuse(CLONE3, errno.ENOSYS)
    yield from _only(CLONE[machine], (IF_SET, CLONE_THREAD))
    for pair in SIGNALS.values():
        yield from _only(pair[machine], (IF_EQUAL, own))
    yield from _only(PRLIMIT[machine], (IF_EQUAL, 0))
    yield from _without(FCNTL[machine], SETS_OWNER)
    yield RETURN, 0, 0, ALLOW


def _refuse(number: int, error: int) -> Iterator[Instruction]:
    yield IF_EQUAL, 0, 1, number
    yield RETURN, 0, 0, ERROR | error


def _only(number: int, condition: tuple[int, int]) -> Iterator[Instruction]:
    """The call with a first argument that meets the condition, and no other."""
    test, value = condition
    yield IF_EQUAL, 0, 4, number
    yield LOAD, 0, 0, FIRST_ARGUMENT_AT
    yield test, 1, 0, value
    yield RETURN, 0, 0, ERROR | errno.EPERM
    yield RETURN, 0, 0, ALLOW


def _without(number: int, refused: Sequence[int]) -> Iterator[Instruction]:
    """The call unless its second argument is one of these."""
    yield IF_EQUAL, 0, 3 + len(refused), number
    yield LOAD, 0, 0, SECOND_ARGUMENT_AT
    for position, value in enumerate(refused):
        yield IF_EQUAL, len(refused) - position, 0, value
    yield RETURN, 0, 0, ALLOW
    yield RETURN, 0, 0, ERROR | errno.EPERM
