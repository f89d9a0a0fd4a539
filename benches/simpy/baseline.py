"""The baseline scenario in SimPy 4, as one would write it there, with the same audit.

Processes are the clients and the end of each lease. Every message takes a latency, as in the model;
the baseline's is zero. With `--direct` a message is a plain call instead: then this is no longer the
same model, since no latency could be set, but the quickest script for this one scenario.
An expiry that comes too late is recognised by its token: that is quicker than an interrupt.

    python baseline.py [grants] [seed] [--direct]
"""

import json
import random
import sys
import time
from collections import deque

import simpy

CLIENTS = 3
THINK_S = 0.1
WORK_S = 2.0
LATENCY_S = 0.0
COMMIT_S = 0.0
LEASE_S = 10.0
PAUSE_PROBABILITY = 0.05
PAUSE_MEDIAN_LN = 1.0986122886681098  # ln 3 s
PAUSE_SIGMA = 1.2


class Audit:
    """Counts what happens, and judges writes by the order in which the store served requests."""

    def __init__(self):
        self.grants = 0
        self.expiries = 0
        self.accepted_writes = 0
        self.zombie_writes = 0
        self.lost_updates = 0
        self.overlaps = 0
        self.overlap_s = 0.0
        self.overlap_since = 0.0
        self.wait_s = 0.0
        self.believers = 0
        self.highest_served = 0

    def granted(self):
        self.grants += 1
        if self.believers > 0:
            self.overlaps += 1

    def believes(self, now, asked):
        self.wait_s += now - asked
        self.believers += 1
        if self.believers == 2:
            self.overlap_since = now

    def stops_believing(self, now):
        self.believers -= 1
        if self.believers == 1:
            self.overlap_s += now - self.overlap_since

    def read(self, token):
        self.highest_served = max(self.highest_served, token)

    def written(self, token, is_lost_update):
        self.accepted_writes += 1
        if token < self.highest_served:
            self.zombie_writes += 1
        if is_lost_update:
            self.lost_updates += 1
        self.highest_served = max(self.highest_served, token)


class LockService:
    """Hands out the lock as a lease, first come, first served."""

    def __init__(self, env, audit, stop_at):
        self.env = env
        self.audit = audit
        self.stop_at = stop_at
        self.stopped = env.event()
        self.waiting = deque()
        self.token = 0
        self.is_held = False

    def ask(self):
        """An event that comes with the token."""
        grant = self.env.event()
        self.waiting.append(grant)
        if not self.is_held:
            self.grant_next()
        return grant

    def release(self, token):
        if self.is_held and token == self.token:
            self.grant_next()

    def grant_next(self):
        self.is_held = bool(self.waiting)
        if self.is_held:
            self.token += 1
            self.audit.granted()
            self.waiting.popleft().succeed(self.token)
            self.env.process(self.expire(self.token))
            if self.audit.grants == self.stop_at:
                self.stopped.succeed()

    def expire(self, token):
        yield self.env.timeout(LEASE_S)
        if self.is_held and token == self.token:
            self.audit.expiries += 1
            self.grant_next()


class Store:
    """One value; no token check."""

    def __init__(self, audit):
        self.audit = audit
        self.value = 0
        self.version = 0

    def read(self, token):
        self.audit.read(token)
        return self.value, self.version

    def write(self, token, value, read_version):
        self.audit.written(token, read_version != self.version)
        self.value = value
        self.version += 1


def critical_section(env, rng):
    """The work, with a pause at some point of it now and then."""
    work = rng.expovariate(1 / WORK_S)
    if rng.random() < PAUSE_PROBABILITY:
        before = work * rng.random()
        yield env.timeout(before)
        yield env.timeout(rng.lognormvariate(PAUSE_MEDIAN_LN, PAUSE_SIGMA))
        work -= before
    yield env.timeout(work)


def client(env, lock, store, audit, rng):
    """A client's turns, with a latency for each message: to the service, to the store, and back."""

    def message():
        return env.timeout(LATENCY_S)

    def release(token):
        yield message()
        lock.release(token)

    while True:
        yield env.timeout(rng.expovariate(1 / THINK_S))
        asked = env.now
        yield message()
        token = yield lock.ask()
        yield message()
        audit.believes(env.now, asked)
        yield message()
        value, version = store.read(token)
        yield message()
        yield from critical_section(env, rng)
        if COMMIT_S > 0:
            yield env.timeout(COMMIT_S)
        yield message()
        store.write(token, value + 1, version)
        yield message()
        audit.stops_believing(env.now)
        env.process(release(token))


def direct_client(env, lock, store, audit, rng):
    """The same turns where no message takes any time."""
    while True:
        yield env.timeout(rng.expovariate(1 / THINK_S))
        asked = env.now
        token = yield lock.ask()
        audit.believes(env.now, asked)
        value, version = store.read(token)
        yield from critical_section(env, rng)
        store.write(token, value + 1, version)
        audit.stops_believing(env.now)
        lock.release(token)


def main():
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    grants, seed = (numbers + [100_000, 1][len(numbers):])[:2]
    turns = direct_client if "--direct" in sys.argv else client
    env = simpy.Environment()
    audit = Audit()
    lock = LockService(env, audit, grants)
    store = Store(audit)
    for number in range(CLIENTS):
        env.process(turns(env, lock, store, audit, random.Random(seed * CLIENTS + number)))
    start = time.perf_counter()
    env.run(until=lock.stopped)
    took_s = time.perf_counter() - start
    outcome = {
        "grants": audit.grants,
        "expiries": audit.expiries,
        "accepted_writes": audit.accepted_writes,
        "zombie_writes": audit.zombie_writes,
        "lost_updates": audit.lost_updates,
        "overlaps": audit.overlaps,
        "overlap_s": audit.overlap_s,
        "wait_mean_s": audit.wait_s / audit.grants,
        "end_s": env.now,
        "took_s": took_s,
        "grants_per_s": audit.grants / took_s,
    }
    print(json.dumps(outcome))


if __name__ == "__main__":
    main()
