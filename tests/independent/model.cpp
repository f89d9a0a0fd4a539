// A second model of what the library simulates, written from the description of the model alone and
// without a look at the library. Plain and slow on purpose: one priority queue, one struct a party.
// README.md beside this file says what it is for and where its readings of the description are.
//   g++ -std=c++17 -O2 -Wall -Wextra -o model model.cpp
//   ./model --help

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using Ns = int64_t;
static const Ns LONGEST = 1000000000000000000LL;  // a sampled span is cut at 1e18 ns (31 years)

[[noreturn]] static void die(const std::string &m) {
    std::cerr << "model: " << m << "\n";
    std::exit(2);
}

// ---------------------------------------------------------------- spans and distributions

static Ns parse_span(const std::string &s) {
    size_t n = 0;
    double v = 0;
    try { v = std::stod(s, &n); } catch (...) { die("not a span: " + s); }
    std::string u = s.substr(n);
    static const std::map<std::string, double> units = {
        {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9},
        {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
    auto it = units.find(u);
    if (it == units.end()) die("no such unit in span: " + s);
    return (Ns)std::llround(v * it->second);
}

static std::vector<std::string> split(const std::string &s, char c) {
    std::vector<std::string> out;
    std::string x;
    std::istringstream in(s);
    while (std::getline(in, x, c)) out.push_back(x);
    return out;
}

struct Rng {
    std::mt19937_64 g;
    explicit Rng(uint64_t seed) {
        std::seed_seq q{(uint32_t)seed, (uint32_t)(seed >> 32), 0x1d2e3fu};
        g.seed(q);
    }
    double unit() { return (double)(g() >> 11) * (1.0 / 9007199254740992.0); }  // [0,1)
    double normal() {  // Box-Muller, one of the pair
        double u = 1.0 - unit(), v = unit();
        return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * M_PI * v);
    }
};

struct Dist {
    enum Kind { Constant, Uniform, Exponential, LogNormal, Pareto, Recorded } kind = Constant;
    double a = 0, b = 0;      // spans in ns, or sigma / shape in b
    std::vector<Ns> list;
    std::string text = "constant:0s";

    Ns sample(Rng &r) const {
        double x = 0;
        switch (kind) {
            case Constant: return (Ns)a;
            case Uniform: x = a + (b - a) * r.unit(); break;
            case Exponential: x = -a * std::log1p(-r.unit()); break;
            case LogNormal: x = a * std::exp(b * r.normal()); break;
            case Pareto: x = a * std::pow(1.0 - r.unit(), -1.0 / b); break;
            case Recorded: return list[(size_t)(r.unit() * (double)list.size())];
        }
        if (!(x < (double)LONGEST)) return LONGEST;
        return (Ns)std::llround(x);
    }

    // constant:1s  uniform:1s:3s  exponential:2s  log_normal:3s:1.2  pareto:1s:1.5
    // recorded:12ms,3s  recorded_file:PATH (first column, one span a line)
    static Dist parse(const std::string &s) {
        Dist d;
        d.text = s;
        size_t c = s.find(':');
        if (c == std::string::npos) die("not a distribution: " + s);
        std::string k = s.substr(0, c), rest = s.substr(c + 1);
        auto p = split(rest, ':');
        auto need = [&](size_t n) { if (p.size() != n) die("wrong number of parameters: " + s); };
        if (k == "constant") { need(1); d.kind = Constant; d.a = (double)parse_span(p[0]); }
        else if (k == "uniform") { need(2); d.kind = Uniform; d.a = (double)parse_span(p[0]); d.b = (double)parse_span(p[1]); }
        else if (k == "exponential") { need(1); d.kind = Exponential; d.a = (double)parse_span(p[0]); }
        else if (k == "log_normal") { need(2); d.kind = LogNormal; d.a = (double)parse_span(p[0]); d.b = std::stod(p[1]); }
        else if (k == "pareto") { need(2); d.kind = Pareto; d.a = (double)parse_span(p[0]); d.b = std::stod(p[1]); }
        else if (k == "recorded") { d.kind = Recorded; for (auto &x : split(rest, ',')) d.list.push_back(parse_span(x)); }
        else if (k == "recorded_file") {
            d.kind = Recorded;
            std::ifstream in(rest);
            std::string line;
            while (std::getline(in, line)) {
                auto f = split(line, ',');
                if (f.empty() || f[0].empty() || f[0][0] < '0' || f[0][0] > '9') continue;  // heading, comment
                d.list.push_back(parse_span(f[0]));
            }
        } else die("no such distribution: " + s);
        if (d.kind == Recorded && d.list.empty()) die("nothing recorded: " + s);
        return d;
    }
};

// ---------------------------------------------------------------- clocks

// What a clock shows at a true moment: so many billionths of its own in a true one since it was last
// disturbed, and nothing while it stands still.
struct Clock {
    Ns pace = 1000000000, since = 0, showed = 0;
    bool still = false;

    Ns shows(Ns now) const {
        return still ? showed : showed + (Ns)((__int128)(now - since) * pace / 1000000000);
    }
    Ns when(Ns reading) const {        // the first true moment at which it shows that, if left alone
        __int128 rest = (__int128)(reading - showed) * 1000000000;
        return rest <= 0 ? since : since + (Ns)((rest + pace - 1) / pace);
    }
    void set(Ns now, Ns by) { showed = std::max<Ns>(0, shows(now) + by); since = now; }
    void stop(Ns now) { showed = shows(now); since = now; still = true; }
    void go_on(Ns now) { since = now; still = false; }
};

// ---------------------------------------------------------------- the scenario

enum class OnLost { Ignore, GiveUp };
enum class Look { Never, OwnClock, AskService };
enum class Check { Never, OnWrite, OnEveryRequest };
enum class Condition { None, SameVersion, SameEntityTag, IfAbsent };
enum class Tokens { Increasing, Random, SessionId, Wrapping };
enum class Measure { Spans, WallClock };
struct ScriptedPause { int client; Ns at, length; };
struct Spell { int of; Ns at, length; };
// Stretches of time: by chance, `every` from the end of one to the start of the next, or at given times.
struct Spells { std::optional<Ns> every; Dist length; std::vector<Spell> script; };
// Moments: by chance, or at given times.
struct Moments { std::optional<Ns> every; std::vector<Ns> at; };
struct Mishap { double probability = 0; Dist delay; };

struct Scenario {
    int clients = 3;
    Dist think = Dist::parse("exponential:100ms");
    Dist work = Dist::parse("exponential:2s");
    Dist latency = Dist::parse("constant:0s");
    Dist commit = Dist::parse("constant:0s");
    Ns lease = 10000000000LL;
    std::optional<Ns> renew_every;
    OnLost on_lost = OnLost::Ignore;
    Look look = Look::Never;
    Check check = Check::Never;
    int64_t first_token = 1;
    double cs_probability = 0.05;
    Dist cs_length = Dist::parse("log_normal:3s:1.2");
    std::optional<Ns> poisson_every;
    Dist poisson_length;
    std::vector<ScriptedPause> script;
    std::optional<Ns> crash_every, restart_after;
    // the store
    Condition condition = Condition::None;
    int64_t contents = 1;
    int stores = 1, registers_with = 1;
    Dist check_to_write;
    Moments forgets;
    // the lock service
    bool no_lock = false;
    Tokens tokens = Tokens::Increasing;
    int64_t highest = 0;
    Ns takeover_delay = 0;
    Spells stalls;
    Moments fails_over, forgets_numbers;
    int instances = 0;                   // 0: one lock service
    std::vector<Ns> paces;
    Spells outages, clock_steps_of_instances;
    // the network
    Mishap late_writes, duplicate_writes;
    double lost_answers = 0;
    Ns retry_after = 1000000000;
    Spells partitions;
    // the clocks
    Measure measure = Measure::Spans;
    Clock lock_clock, client_clock;
    bool stand_still = false;
    std::vector<Spell> clock_steps;      // of: a client, or -1 for the lock service; length: by how much
    int64_t stop_grants = 10000;         // <0: no such bound
    std::optional<Ns> stop_time;
};

// ---------------------------------------------------------------- events

enum class E {
    // at the lock service
    AskArrives, RenewArrives, ReleaseArrives, LookArrives, LeaseExpires,
    DelayIsOver, StallBegins, StallEnds, FailsOver, ForgetsNumbers, ClockIsSet,
    OutageBegins, OutageEnds, InstanceClockIsSet,
    // on the way to it
    PartitionBegins, PartitionEnds,
    // at the store
    ReadArrives, WriteArrives, WriteIsDone, Forgets,
    // at a client: these wait while it is paused
    ThinkDone, RenewDue, GrantArrives, RenewAnswer, LookAnswer, ReadAnswer, WriteAnswer, RetryDue,
    // the client's own progress in work or commit (cannot fall due while it is paused)
    Progress,
    // the world acting on a client's process
    PoissonPause, ScriptPause, Resume, Crash, Restart
};

struct Event {
    Ns at = 0;
    uint64_t order = 0;
    E what{};
    int client = -1;
    int64_t token = 0;      // grants, requests, answers
    int64_t grant = 0;      // the number of the grant behind the token, which only audits look at
    bool ok = false;        // answers
    int64_t version = 0, value = 0;      // reads and writes
    int64_t accepted = 0;   // for the audit: how many writes had been accepted at the read
    Ns sent = 0;            // when a renewal was sent; the length of something scripted
    Ns end = 0;             // grants and renewals: when the lease ends, as the service says
    bool again = false;     // of something by chance: there is a next one
    uint64_t id = 0;        // turn, progress number, process number, lease number: to know stale ones
};
struct Later {
    bool operator()(const Event &x, const Event &y) const {
        return x.at != y.at ? x.at > y.at : x.order > y.order;
    }
};

// ---------------------------------------------------------------- the world

enum class S { Thinking, WaitingForGrant, Reading, Working, Looking, Committing, Writing, Dead };

struct Client {
    S state = S::Thinking;
    bool alive = true;
    uint64_t process = 0;             // counts restarts
    uint64_t turn = 0;                // counts cycles, over restarts too
    // the turn
    bool believes = false;
    int64_t token = -1, grant = -1;
    Ns asked_at = 0;
    Ns knows_end = 0;                 // the lease's end as the client knows it, on its own clock
    bool renewing = false;
    Ns renew_at = 0;                  // on its own clock
    uint64_t renew_id = 0;
    int64_t version_read = 0, value_read = 0, accepted_read = 0;
    Clock watch, wall;                // for spans, and for the time of day
    int64_t session = -1;             // kept by the lock service
    Ns cut_off_until = 0;
    int64_t done_accepted = -1;       // for the audit: its last accepted write, by the read before it
    // progress of work and commit
    Ns work = 0, commit = 0;          // the sampled times of this turn
    std::optional<Ns> pause_point;    // on the progress axis 0 .. work+commit; not yet taken
    Ns pause_length = 0;
    Ns done = 0;                      // progress made, 0 .. work+commit
    Ns running_since = 0;             // wall time since which progress is being made
    bool running = false;
    uint64_t progress_id = 0;
    // pause
    bool paused = false;
    Ns paused_until = 0;
    std::deque<Event> waiting;        // what fell due or arrived meanwhile
};

using Figures = std::vector<std::pair<std::string, double>>;  // NaN: there is none

struct World {
    const Scenario &sc;
    Rng rng;
    bool tracing;
    std::priority_queue<Event, std::vector<Event>, Later> queue;
    uint64_t order = 0;
    Ns now = 0;
    bool over = false;

    std::vector<Client> cl;
    // lock service
    bool held = false;
    int holder = -1;
    int64_t current = -1;             // token of the current lease
    Ns lease_end = 0;                 // on the service's clock
    uint64_t lease_id = 0;            // changes at each grant and renewal: old expiries are stale
    int64_t next_token, next_before;  // before: what it was before the last grant
    Ns free_from = 0;                 // when the takeover delay is over, on the service's clock
    std::deque<int> line;
    Clock watch, wall;                // for spans, and for the time of day
    bool stalled = false;
    Ns stalled_until = 0;
    std::deque<Event> unheard;        // what has arrived meanwhile
    // a majority has instances, and the above is what the clients make of them
    struct Instance { Clock clock; int64_t token = -1; Ns end = 0, away_until = 0; };  // -1: free
    std::vector<Instance> instances;
    // stores; what a client reads and goes on from is in the last one
    struct Store {
        int64_t version = 0, value = 0;
        int64_t gone = 0;              // the objects of versions up to this one are deleted
        int64_t mark = -1;             // what the check compares with
    };
    std::vector<Store> stores;
    int64_t served = 0;               // audit: the highest number of a grant served, read or write
    // audits
    int64_t a_grants = 0, a_expiries = 0, a_renewals = 0, a_gave_up = 0, a_accepted = 0, a_refused_w = 0,
            a_refused_r = 0, a_zombie = 0, a_lost = 0, a_overlaps = 0, a_crashes = 0, a_false = 0;
    Ns a_overlap = 0, a_held = 0, believers_since = 0, held_since = 0;
    int believers = 0;
    Ns dead_since = -1;
    std::vector<Ns> a_recovery, a_wait;

    World(const Scenario &s, uint64_t seed, bool trace) : sc(s), rng(seed), tracing(trace), next_token(s.first_token), next_before(s.first_token),
          watch(s.lock_clock), wall(s.lock_clock) {
        stores.resize((size_t)s.stores);
        watch.showed = 0;              // a span is the same on a clock that is ahead
        for (int i = 0; i < s.instances; ++i) {
            instances.emplace_back();
            if (!s.paces.empty()) instances.back().clock.pace = s.paces[(size_t)i];
        }
    }

    void trace(int c, const std::string &m) {
        if (tracing) std::printf("%14.6f  %s%d  %s\n", (double)now / 1e9, c < 0 ? "-" : "c", c, m.c_str());
    }

    void schedule(Ns at, Event e) {
        e.at = at;
        e.order = order++;
        queue.push(e);
    }
    void in(Ns span, Event e) { schedule(now + span, e); }
    void send(Event e) { in(sc.latency.sample(rng), e); }   // every message, one way
    static Event ev(E what, int client) { Event e; e.what = what; e.client = client; return e; }
    bool chance(double p) { return p > 0 && rng.unit() < p; }
    // To the lock service. In a partition an ask or a look is sent until it arrives; all else is lost.
    void send_to_lock(Event e) {
        e.grant = cl[e.client].grant;
        Ns leaves = std::max(now, cl[e.client].cut_off_until);
        if (leaves > now && e.what != E::AskArrives && e.what != E::LookArrives) {
            return trace(e.client, "cut off: what it sends is lost");
        }
        schedule(leaves + sc.latency.sample(rng), e);
    }
    void send_write(const Event &e) {
        Ns at = now + sc.latency.sample(rng);
        if (chance(sc.late_writes.probability)) at += sc.late_writes.delay.sample(rng);
        schedule(at, e);
        if (chance(sc.duplicate_writes.probability)) schedule(at + sc.duplicate_writes.delay.sample(rng), e);
    }

    // ---- belief, for the audit of overlaps
    void set_belief(int c, bool b) {
        if (cl[c].believes == b) return;
        if (believers >= 2) a_overlap += now - believers_since;
        believers_since = now;
        believers += b ? 1 : -1;
        cl[c].believes = b;
    }

    // ---- lock service
    const Clock &clock() const { return sc.measure == Measure::Spans ? watch : wall; }
    size_t most() const { return instances.size() / 2 + 1; }
    bool can_grant() const {
        if (clock().shows(now) < free_from) return false;
        if (instances.empty()) return true;
        size_t n = 0;
        for (auto &i : instances) n += i.token < 0 && now >= i.away_until;
        return n >= most();
    }
    void grant_next() {
        if (held || line.empty() || !can_grant()) return;
        int c = line.front();
        line.pop_front();
        grant(c);
    }
    int64_t new_token(int c) {
        next_before = next_token;
        switch (sc.tokens) {
            case Tokens::Random: return (int64_t)(rng.g() >> 2) + 1;
            case Tokens::SessionId: ask_for_session(c); return cl[c].session;
            case Tokens::Wrapping: {
                int64_t t = next_token;
                next_token = t >= sc.highest ? 1 : t + 1;
                return t;
            }
            case Tokens::Increasing: break;
        }
        return next_token++;
    }
    void ask_for_session(int c) {
        if (sc.tokens == Tokens::SessionId && cl[c].session < 0) cl[c].session = next_token++;
    }
    // From now on for L: at the service, or at the instances in reach that can take it or hold it.
    // A majority has to.
    bool begin_lease(bool renewed) {
        size_t n = 0;
        lease_end = clock().shows(now) + sc.lease;
        for (auto &i : instances) {
            if (now < i.away_until || (renewed ? i.token != current : i.token >= 0)) continue;
            i.token = current;
            i.end = i.clock.shows(now) + sc.lease;
            ++n;
        }
        watch_lease();
        return instances.empty() || n >= most();
    }
    void watch_lease() {
        Event x = ev(E::LeaseExpires, holder);
        x.id = ++lease_id;
        if (instances.empty()) { if (held) schedule(std::max(now, clock().when(lease_end)), x); return; }
        for (auto &i : instances) if (i.token >= 0) schedule(std::max(now, i.clock.when(i.end)), x);
    }
    bool is_over() {                   // a majority: also clears what is over at the instances
        if (instances.empty()) return clock().shows(now) >= lease_end;
        size_t n = 0;
        for (auto &i : instances) {
            if (i.token >= 0 && i.clock.shows(now) >= i.end) i.token = -1;
            n += i.token >= 0 && i.token == current;
        }
        return n < most();
    }
    void grant(int c) {
        held = true;
        held_since = now;
        holder = c;
        current = new_token(c);
        ++a_grants;
        bool other = false;
        for (int i = 0; i < (int)cl.size(); ++i) other |= (i != c && cl[i].believes);
        if (other) ++a_overlaps;
        if (dead_since >= 0) { a_recovery.push_back(now - dead_since); dead_since = -1; }
        trace(c, "GRANT token " + std::to_string(current) + (other ? " (overlap)" : ""));
        begin_lease(false);
        Event g = ev(E::GrantArrives, c);
        g.token = current;
        g.grant = a_grants;
        g.end = lease_end;
        send(g);
        if (sc.stop_grants >= 0 && a_grants >= sc.stop_grants) over = true;
    }
    void lease_ends() {
        a_held += now - held_since;
        held = false;
        holder = -1;
        if (instances.empty()) ++lease_id;
        grant_next();
    }
    void release(int64_t token) {
        for (auto &i : instances) if (now >= i.away_until && i.token == token) i.token = -1;
        if (held && token == current) return lease_ends();
        if (!instances.empty()) grant_next();
    }
    void look_at_clock() {
        bool over_now = is_over();
        if (held && over_now) {
            ++a_expiries;
            trace(holder, "lease expires");
            cl[holder].session = -1;
            if (sc.takeover_delay > 0) {
                free_from = clock().shows(now) + sc.takeover_delay;
                await_delay();
            }
            return lease_ends();
        }
        grant_next();
    }
    void await_delay() { schedule(std::max(now, clock().when(free_from)), ev(E::DelayIsOver, -1)); }
    void fail_over() {
        if (!held) return;             // a lease that is over has been heard of
        trace(-1, "fails over");
        if (sc.tokens != Tokens::SessionId) next_token = next_before;   // no session began with the grant
        lease_ends();
    }
    void hear(const Event &e) {
        int c = e.client;
        switch (e.what) {
            case E::AskArrives:
                ask_for_session(c);
                if (std::find(line.begin(), line.end(), c) == line.end()) line.push_back(c);
                return grant_next();
            case E::RenewArrives: {
                bool ok = held && e.token == current;
                if (ok) ok = begin_lease(true);
                if (ok) ++a_renewals;
                Event r = ev(E::RenewAnswer, c);
                r.token = e.token;
                r.grant = e.grant;
                r.ok = ok;
                r.sent = e.sent;
                r.end = lease_end;
                trace(c, ok ? "renewed" : "renewal refused: lost");
                return send(r);
            }
            case E::ReleaseArrives: return release(e.token);
            case E::LookArrives: {
                Event r = ev(E::LookAnswer, c);
                r.token = e.token;
                r.grant = e.grant;
                r.ok = held && e.token == current;
                return send(r);
            }
            default: die("not for the lock service");
        }
    }

    // ---- stores
    bool refuses(Store &s, const Event &e, bool is_write) {
        if (is_write ? sc.check != Check::Never : sc.check == Check::OnEveryRequest) {
            if (e.token < s.mark) return true;
            s.mark = e.token;
        }
        if (!is_write) return false;
        switch (sc.condition) {
            case Condition::None: return false;
            case Condition::SameVersion: return e.version != s.version;
            case Condition::SameEntityTag: return e.value % sc.contents != s.value % sc.contents;
            case Condition::IfAbsent: return s.gone < e.version + 1 && e.version + 1 <= s.version;
        }
        return false;
    }
    void read_arrives(const Event &e) {
        Event r = ev(E::ReadAnswer, e.client);
        r.token = e.token;
        r.grant = e.grant;
        r.ok = true;                   // it reads the first few, and so shows them its token
        for (int i = 0; i < sc.registers_with; ++i) r.ok = !refuses(stores[(size_t)i], e, false) && r.ok;
        r.version = stores.back().version;
        r.value = stores.back().value;
        r.accepted = a_accepted;
        if (r.ok) served = std::max(served, e.grant);
        else ++a_refused_r;
        trace(e.client, std::string(r.ok ? "read served" : "read refused") + ", token " + std::to_string(e.token));
        send(r);
    }
    void write_arrives(Event e) {
        std::vector<Store *> takers;   // where one of several does it, it counts as accepted
        for (Store &s : stores) if (!refuses(s, e, true)) takers.push_back(&s);
        if (takers.empty()) {
            ++a_refused_w;
            bool is_false = cl[e.client].done_accepted == e.accepted;
            if (is_false) ++a_false;
            trace(e.client, "write refused, token " + std::to_string(e.token) + (is_false ? " FALSE CONFLICT" : ""));
            return answer_write(e, false);
        }
        if (stores.size() > 1 || (sc.check_to_write.kind == Dist::Constant && sc.check_to_write.a == 0)) {
            return write_is_done(e, takers);
        }
        e.what = E::WriteIsDone;
        in(sc.check_to_write.sample(rng), e);
    }
    void write_is_done(const Event &e, const std::vector<Store *> &takers) {
        std::string note;
        if (served > e.grant) { ++a_zombie; note += " ZOMBIE"; }
        if (a_accepted != e.accepted) { ++a_lost; note += " LOST UPDATE"; }
        ++a_accepted;
        for (Store *s : takers) { ++s->version; s->value = e.value + 1; }
        served = std::max(served, e.grant);
        trace(e.client, "write accepted, token " + std::to_string(e.token) + note);
        cl[e.client].done_accepted = e.accepted;
        answer_write(e, true);
    }
    void answer_write(const Event &e, bool ok) {
        if (chance(sc.lost_answers)) return trace(e.client, "answer lost");
        Event r = ev(E::WriteAnswer, e.client);
        r.token = e.token;
        r.grant = e.grant;
        r.ok = ok;
        send(r);
    }

    // ---- client: its cycle
    void start_over(int c) {
        Client &k = cl[c];
        k.state = S::Thinking;
        k.token = -1;
        k.grant = -1;
        k.renewing = false;
        k.running = false;
        ++k.progress_id;
        ++k.turn;
        Event e = ev(E::ThinkDone, c);
        e.id = k.turn;
        in(sc.think.sample(rng), e);
    }
    void end_turn(int c) {             // stop believing, release, start over
        set_belief(c, false);
        Event r = ev(E::ReleaseArrives, c);
        r.token = cl[c].token;
        if (!sc.no_lock) send_to_lock(r);
        start_over(c);
    }
    void give_up(int c) {
        ++a_gave_up;
        trace(c, "gives up");
        end_turn(c);
    }

    // progress on the axis 0 .. work+commit: the next point of interest is the pause point, if it lies
    // before the end of the phase (or at a point of the commit, once in it), else the phase's end
    void run_on(int c) {
        Client &k = cl[c];
        Ns phase_end = k.state == S::Working ? k.work : k.work + k.commit;
        bool last = k.state == S::Committing;
        Ns next = phase_end;
        if (k.pause_point && (*k.pause_point < phase_end || last)) next = std::min(*k.pause_point, phase_end);
        k.running = true;
        k.running_since = now;
        Event e = ev(E::Progress, c);
        e.id = ++k.progress_id;
        in(next - k.done, e);
    }
    void hold_still(int c) {           // a pause begins: note the progress made
        Client &k = cl[c];
        if (!k.running) return;
        k.done += now - k.running_since;
        k.running = false;
        ++k.progress_id;
    }
    void progress(int c) {
        Client &k = cl[c];
        k.done += now - k.running_since;
        k.running = false;
        bool last = k.state == S::Committing;
        Ns phase_end = last ? k.work + k.commit : k.work;
        if (k.pause_point && k.done >= *k.pause_point && (*k.pause_point < phase_end || last)) {
            k.pause_point.reset();
            pause(c, k.pause_length);
            return;                    // goes on with run_on at the resume
        }
        if (k.state == S::Working) work_done(c);
        else write(c);
    }
    void begin_work(int c) {
        Client &k = cl[c];
        k.state = S::Working;
        k.work = sc.work.sample(rng);
        k.commit = sc.commit.sample(rng);
        k.done = 0;
        k.pause_point.reset();
        if (rng.unit() < sc.cs_probability) {
            k.pause_point = (Ns)(rng.unit() * (double)(k.work + k.commit));
            k.pause_length = sc.cs_length.sample(rng);
        }
        run_on(c);
    }
    void work_done(int c) {
        Client &k = cl[c];
        if (sc.look == Look::OwnClock) {
            const Clock &own = sc.measure == Measure::Spans ? k.watch : k.wall;
            if (own.shows(now) >= k.knows_end) return give_up(c);
        } else if (sc.look == Look::AskService) {
            k.state = S::Looking;
            Event e = ev(E::LookArrives, c);
            e.token = k.token;
            return send_to_lock(e);
        }
        begin_commit(c);
    }
    void begin_commit(int c) {
        cl[c].state = S::Committing;
        run_on(c);
    }
    void write(int c) {
        Client &k = cl[c];
        k.state = S::Writing;
        Event e = ev(E::WriteArrives, c);
        e.token = k.token;
        e.grant = k.grant;
        e.version = k.version_read;
        e.value = k.value_read;
        e.accepted = k.accepted_read;
        trace(c, "write leaves, token " + std::to_string(k.token));
        send_write(e);
        if (sc.lost_answers > 0) {
            Event r = ev(E::RetryDue, c);
            r.id = k.turn;
            in(sc.retry_after, r);
        }
    }
    void schedule_renewal(int c) {     // R from now on its own clock
        cl[c].renew_at = cl[c].watch.shows(now) + *sc.renew_every;
        await_renewal(c);
    }
    void await_renewal(int c) {
        Event e = ev(E::RenewDue, c);
        e.id = ++cl[c].renew_id;
        schedule(std::max(now, cl[c].watch.when(cl[c].renew_at)), e);
    }

    // ---- pauses
    void pause(int c, Ns length) {
        Client &k = cl[c];
        if (!k.alive) return;
        hold_still(c);
        if (sc.stand_still && !k.paused) {
            k.watch.stop(now);
            k.wall.stop(now);
            ++k.renew_id;              // its clock does not get there now
        }
        k.paused_until = k.paused ? std::max(k.paused_until, now + length) : now + length;
        k.paused = true;
        trace(c, "paused until " + std::to_string((double)k.paused_until / 1e9));
        Event e = ev(E::Resume, c);
        e.id = k.process;
        schedule(k.paused_until, e);
    }
    void resume(int c) {
        Client &k = cl[c];
        k.paused = false;
        trace(c, "resumes");
        if (sc.stand_still) {
            k.watch.go_on(now);
            k.wall.go_on(now);
            if (k.renewing) await_renewal(c);
        }
        // work or commit goes on from here; what waited is handled now, in its old order
        if (k.state == S::Working || k.state == S::Committing) run_on(c);
        while (!k.paused && !k.waiting.empty()) {
            Event e = k.waiting.front();
            k.waiting.pop_front();
            at_client(e);
        }
    }

    // ---- what reaches a client (it is alive and not paused)
    void go_ahead(int c, int64_t token, int64_t grant) {
        Client &k = cl[c];
        set_belief(c, true);
        k.token = token;
        k.grant = grant;
        k.state = S::Reading;
        Event r = ev(E::ReadArrives, c);
        r.token = token;
        r.grant = grant;
        send(r);
    }
    void at_client(const Event &e) {
        int c = e.client;
        Client &k = cl[c];
        switch (e.what) {
            case E::ThinkDone:
                if (k.state != S::Thinking || e.id != k.turn) return;
                if (sc.no_lock) return go_ahead(c, 0, 0);
                k.state = S::WaitingForGrant;
                k.asked_at = now;
                return send_to_lock(ev(E::AskArrives, c));
            case E::GrantArrives: {
                if (k.state != S::WaitingForGrant) { trace(c, "ignores a grant"); return; }
                a_wait.push_back(now - k.asked_at);
                k.knows_end = sc.measure == Measure::Spans ? k.watch.shows(now) + sc.lease : e.end;
                k.renewing = sc.renew_every.has_value();
                if (k.renewing) schedule_renewal(c);
                return go_ahead(c, e.token, e.grant);
            }
            case E::RenewDue: {
                if (!k.believes || !k.renewing || e.id != k.renew_id) return;
                Event r = ev(E::RenewArrives, c);
                r.token = k.token;
                r.sent = k.watch.shows(now);
                send_to_lock(r);
                return schedule_renewal(c);
            }
            case E::RenewAnswer:
                if (!k.believes || e.grant != k.grant) return;
                if (e.ok && sc.measure == Measure::WallClock) { k.knows_end = e.end; return; }
                if (e.ok) { k.knows_end = std::max(k.knows_end, e.sent + sc.lease); return; }
                k.renewing = false;
                trace(c, "hears: lost");
                if (sc.on_lost == OnLost::GiveUp && k.state != S::Writing) give_up(c);
                return;
            case E::ReadAnswer:
                if (k.state != S::Reading || e.grant != k.grant) return;
                if (!e.ok) return end_turn(c);
                k.version_read = e.version;
                k.value_read = e.value;
                k.accepted_read = e.accepted;
                return begin_work(c);
            case E::LookAnswer:
                if (k.state != S::Looking || e.grant != k.grant) return;
                if (!e.ok) return give_up(c);
                return begin_commit(c);
            case E::WriteAnswer:
                if (k.state != S::Writing || e.grant != k.grant) return;
                return end_turn(c);
            case E::RetryDue:
                if (k.state != S::Writing || e.id != k.turn) return;
                return write(c);       // the same write again
            default: die("not a client's event");
        }
    }

    void handle(const Event &e) {
        int c = e.client;
        switch (e.what) {
            case E::AskArrives: case E::RenewArrives: case E::ReleaseArrives: case E::LookArrives:
                if (stalled) { unheard.push_back(e); return; }
                return hear(e);
            case E::LeaseExpires:
                if (stalled || (instances.empty() && e.id != lease_id)) return;
                return look_at_clock();
            case E::DelayIsOver:
                if (!stalled) grant_next();
                return;
            case E::StallBegins: {
                Ns length = e.again ? sc.stalls.length.sample(rng) : e.sent;
                stalled_until = stalled ? std::max(stalled_until, now + length) : now + length;
                stalled = true;
                trace(-1, "lock service stalls");
                Event x = e;
                x.what = E::StallEnds;
                return in(length, x);
            }
            case E::StallEnds:
                if (e.again) by_chance(*sc.stalls.every, E::StallBegins, -1);
                if (!stalled || now < stalled_until) return;
                stalled = false;
                look_at_clock();
                while (!unheard.empty()) { Event x = unheard.front(); unheard.pop_front(); hear(x); }
                return;
            case E::FailsOver:
                if (e.again) by_chance(*sc.fails_over.every, E::FailsOver, -1);
                return fail_over();
            case E::ForgetsNumbers:
                if (e.again) by_chance(*sc.forgets_numbers.every, E::ForgetsNumbers, -1);
                next_token = next_before = sc.first_token;
                return;
            case E::ClockIsSet:
                (c < 0 ? wall : cl[c].wall).set(now, e.sent);
                trace(c, "clock is set");
                if (c < 0 && held) watch_lease();
                if (c < 0 && !held) await_delay();
                return;
            case E::OutageBegins: {
                Ns length = e.again ? sc.outages.length.sample(rng) : e.sent;
                int which = e.again ? any_instance() : c;
                Ns &until = instances[(size_t)which].away_until;
                until = std::max(until, now + length);
                Event x = e;
                x.what = E::OutageEnds;
                return in(length, x);
            }
            case E::OutageEnds:
                if (e.again) by_chance(*sc.outages.every, E::OutageBegins, -1);
                return look_at_clock();
            case E::InstanceClockIsSet: {
                Ns by = e.again ? sc.clock_steps_of_instances.length.sample(rng) : e.sent;
                instances[(size_t)(e.again ? any_instance() : c)].clock.set(now, by);
                if (e.again) by_chance(*sc.clock_steps_of_instances.every, E::InstanceClockIsSet, -1);
                look_at_clock();
                return watch_lease();
            }
            case E::PartitionBegins: {
                Ns length = e.again ? sc.partitions.length.sample(rng) : e.sent;
                cl[c].cut_off_until = std::max(cl[c].cut_off_until, now + length);
                trace(c, "is cut off");
                Event x = e;
                x.what = E::PartitionEnds;
                return in(length, x);
            }
            case E::PartitionEnds:
                if (e.again) by_chance(*sc.partitions.every, E::PartitionBegins, c);
                return;

            case E::ReadArrives: return read_arrives(e);
            case E::WriteArrives: return write_arrives(e);
            case E::WriteIsDone: return write_is_done(e, {&stores[0]});
            case E::Forgets:
                if (e.again) by_chance(*sc.forgets.every, E::Forgets, -1);
                for (Store &s : stores) {
                    s.mark = -1;
                    if (sc.condition == Condition::IfAbsent) s.gone = s.version;
                    else s.version = 0;
                }
                trace(-1, "store forgets");
                return;

            case E::ThinkDone: case E::RenewDue: case E::GrantArrives: case E::RenewAnswer:
            case E::LookAnswer: case E::ReadAnswer: case E::WriteAnswer: case E::RetryDue:
                if (!cl[c].alive) return;                              // lost
                if (cl[c].paused) { cl[c].waiting.push_back(e); return; }
                return at_client(e);

            case E::Progress:
                if (!cl[c].alive || !cl[c].running || e.id != cl[c].progress_id) return;
                return progress(c);

            case E::PoissonPause: {
                if (!cl[c].alive && !sc.restart_after) return;         // dead for good: no more of these
                in(poisson_gap(), ev(E::PoissonPause, c));
                return pause(c, sc.poisson_length.sample(rng));
            }
            case E::ScriptPause: return pause(c, e.sent);
            case E::Resume:
                if (!cl[c].alive || e.id != cl[c].process || !cl[c].paused || now < cl[c].paused_until) return;
                return resume(c);

            case E::Crash: {
                Client &k = cl[c];
                ++a_crashes;
                trace(c, "crashes");
                if (held && holder == c && dead_since < 0) dead_since = now;
                set_belief(c, false);
                if (sc.stand_still && k.paused) { k.watch.go_on(now); k.wall.go_on(now); }
                k.alive = false;
                k.state = S::Dead;
                k.paused = false;
                k.waiting.clear();
                k.running = false;
                k.renewing = false;
                k.token = k.grant = -1;
                ++k.progress_id;
                ++k.turn;
                if (sc.restart_after) in(*sc.restart_after, ev(E::Restart, c));
                return;
            }
            case E::Restart:
                trace(c, "restarts");
                cl[c].alive = true;
                ++cl[c].process;
                start_over(c);
                return schedule_crash(c);
        }
    }

    Ns exponential(Ns mean) { return (Ns)std::llround(std::min((double)LONGEST, -(double)mean * std::log1p(-rng.unit()))); }
    Ns poisson_gap() { return exponential(*sc.poisson_every); }
    void schedule_crash(int c) {
        if (sc.crash_every) in(exponential(*sc.crash_every), ev(E::Crash, c));
    }

    int any_instance() { return (int)(rng.unit() * (double)instances.size()); }
    void by_chance(Ns every, E what, int of) {
        Event e = ev(what, of);
        e.again = true;
        in(exponential(every), e);
    }
    void spells(const Spells &s, E what, int of) {      // of: the one it happens to by chance
        if (s.every) by_chance(*s.every, what, of);
    }
    void script(const std::vector<Spell> &list, E what) {
        for (auto &x : list) {
            Event e = ev(what, x.of);
            e.sent = x.length;
            schedule(x.at, e);
        }
    }
    void moments(const Moments &m, E what) {
        if (m.every) by_chance(*m.every, what, -1);
        for (Ns at : m.at) schedule(at, ev(what, -1));
    }
    void schedule_faults() {
        moments(sc.forgets, E::Forgets);
        moments(sc.fails_over, E::FailsOver);
        moments(sc.forgets_numbers, E::ForgetsNumbers);
        spells(sc.stalls, E::StallBegins, -1);
        script(sc.stalls.script, E::StallBegins);
        for (int c = 0; c < sc.clients; ++c) spells(sc.partitions, E::PartitionBegins, c);
        script(sc.partitions.script, E::PartitionBegins);
        script(sc.clock_steps, E::ClockIsSet);
        if (instances.empty()) return;
        spells(sc.outages, E::OutageBegins, -1);
        script(sc.outages.script, E::OutageBegins);
        spells(sc.clock_steps_of_instances, E::InstanceClockIsSet, -1);
        script(sc.clock_steps_of_instances.script, E::InstanceClockIsSet);
    }

    Figures run() {
        cl.resize(sc.clients);
        for (Client &k : cl) {
            k.watch = k.wall = sc.client_clock;
            k.watch.showed = 0;
        }
        for (int c = 0; c < sc.clients; ++c) start_over(c);
        for (auto &p : sc.script) {
            if (p.client < 0 || p.client >= sc.clients) die("script: no such client");
            Event e = ev(E::ScriptPause, p.client);
            e.sent = p.length;
            schedule(p.at, e);
        }
        for (int c = 0; c < sc.clients; ++c) {
            if (sc.poisson_every) in(poisson_gap(), ev(E::PoissonPause, c));
            schedule_crash(c);
        }
        schedule_faults();
        while (!over) {
            if (queue.empty()) {                       // nobody is left and nothing will happen
                if (sc.stop_time) now = *sc.stop_time;
                break;
            }
            Event e = queue.top();
            queue.pop();
            if (sc.stop_time && e.at > *sc.stop_time) { now = *sc.stop_time; break; }
            if (e.at < now) die("time ran backwards");
            now = e.at;
            handle(e);
        }
        if (believers >= 2) a_overlap += now - believers_since;
        if (held) a_held += now - held_since;
        return figures();
    }

    Figures figures() {
        const double none = std::numeric_limits<double>::quiet_NaN();
        double recovery_mean = none, recovery_max = none, wait_mean = none, wait_p99 = none;
        if (!a_recovery.empty()) {
            double s = 0;
            for (Ns x : a_recovery) s += (double)x;
            recovery_mean = s / (double)a_recovery.size() / 1e9;
            recovery_max = (double)*std::max_element(a_recovery.begin(), a_recovery.end()) / 1e9;
        }
        if (!a_wait.empty()) {
            double s = 0;
            for (Ns x : a_wait) s += (double)x;
            wait_mean = s / (double)a_wait.size() / 1e9;
            std::vector<Ns> w = a_wait;
            std::sort(w.begin(), w.end());
            size_t rank = (size_t)std::ceil(0.99 * (double)w.size());   // nearest rank
            wait_p99 = (double)w[rank - 1] / 1e9;
        }
        double end = (double)now / 1e9;
        Figures f = {
            {"grants", (double)a_grants}, {"expiries", (double)a_expiries}, {"renewals", (double)a_renewals},
            {"gave_up", (double)a_gave_up}, {"accepted_writes", (double)a_accepted},
            {"refused_writes", (double)a_refused_w}, {"refused_reads", (double)a_refused_r},
            {"zombie_writes", (double)a_zombie}, {"lost_updates", (double)a_lost}, {"false_conflicts", (double)a_false},
            {"overlaps", (double)a_overlaps},
            {"overlap_s", (double)a_overlap / 1e9}, {"crashes", (double)a_crashes},
            {"recovery_mean_s", recovery_mean}, {"recovery_max_s", recovery_max},
            {"wait_mean_s", wait_mean}, {"wait_p99_s", wait_p99},
            {"held_share", now > 0 ? (double)a_held / (double)now : 0.0}, {"end_s", end}};
        // not in DESIGN's list of keys: how many recoveries were measured, and rates
        f.push_back({"recoveries", (double)a_recovery.size()});
        f.push_back({"accepted_writes_per_s", end > 0 ? (double)a_accepted / end : none});
        return f;
    }
};

// ---------------------------------------------------------------- output

static const std::vector<std::string> PER_GRANT = {"expiries", "renewals", "gave_up", "accepted_writes", "refused_writes",
    "refused_reads", "zombie_writes", "lost_updates", "overlaps", "overlap_s", "crashes", "recoveries", "end_s"};

static std::string num(double x) {
    if (std::isnan(x)) return "null";
    char b[40];
    std::snprintf(b, sizeof b, "%.12g", x);
    return b;
}

struct Mean { double mean, se; int n; };       // over the runs that have the figure

static Mean mean_of(const std::vector<double> &v) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    double s = 0, q = 0;
    int n = 0;
    for (double x : v) if (!std::isnan(x)) { s += x; ++n; }
    double mean = n ? s / n : none;
    for (double x : v) if (!std::isnan(x)) q += (x - mean) * (x - mean);
    return {mean, n > 1 ? std::sqrt(q / (n - 1) / n) : none, n};
}

static int print_rows(const std::string &name, std::map<std::string, std::vector<double>> &all) {
    for (const char *figure : {"grants", "expiries", "renewals", "gave_up", "accepted_writes", "refused_writes",
             "refused_reads", "zombie_writes", "lost_updates", "false_conflicts", "overlaps", "overlap_s", "crashes",
             "recovery_mean_s", "wait_mean_s", "wait_p99_s", "held_share", "end_s"}) {
        Mean m = mean_of(all[figure]);
        if (m.n == 0) std::printf("%s,%s,,,%d\n", name.c_str(), figure, (int)all[figure].size());   // never measured
        else std::printf("%s,%s,%.9g,%.4g,%d\n", name.c_str(), figure, m.mean, m.n > 1 ? m.se : 0.0, m.n);
    }
    return 0;
}

int main(int argc, char **argv) {
    Scenario sc;
    uint64_t seed = 1;
    int repeats = 1;
    bool tracing = false, raw = false;
    std::string said, csv;
    for (int i = 1; i < argc; ++i) {
        std::string o = argv[i];
        if (o == "--help") {
            std::cout <<
                "model [option value]...   (absent ones: the baseline)\n"
                "  --clients N  --think D  --work D  --latency D  --commit D  --lease SPAN  --renew-every SPAN|never\n"
                "  --on-lost ignore|give_up  --look never|own_clock|ask_service\n"
                "  --token-check never|on_write|on_every_request  --first-token N\n"
                "  --critical-section P/D | never   --poisson SPAN/D   --script CLIENT@SPAN+SPAN,...\n"
                "  --crash-every SPAN  --restart-after SPAN  --grants N|none  --time SPAN\n"
                "  --condition none|same_version|if_absent|entity_tag:N  --stores N  --registers-with N\n"
                "  --check-to-write D  --forgets M  --no-lock yes|no\n"
                "  --tokens increasing|random|session_id|wrapping:N  --takeover-delay SPAN  --stalls S  --fails-over M  --forgets-numbers M\n"
                "  --majority N  --paces RATE,RATE,...  --outages S  --instance-steps S\n"
                "  --late-writes P/D  --duplicate-writes P/D  --lost-answers P  --retry-after SPAN  --partitions S\n"
                "  --measure spans|wall_clock  --lock-clock AHEAD,RATE  --client-clock AHEAD,RATE  --stand-still yes|no\n"
                "  --clock-steps WHO@AT+BY,... or WHO@AT-BY,... (WHO: a client, or lock)\n"
                "  M: a mean time (10s), or times (@5s,@60s);  S: SPAN/D by chance, or OF@AT+LENGTH,...\n"
                "  --csv NAME (rows for results.csv)\n"
                "  --seed N  --repeats N (seeds N, N+1, ...: mean and standard error)  --raw (each run's figures too)  --trace\n"
                "  D: constant:1s uniform:1s:3s exponential:2s log_normal:3s:1.2 pareto:1s:1.5 recorded:12ms,3s recorded_file:PATH\n";
            return 0;
        }
        if (o == "--trace") { tracing = true; continue; }
        if (o == "--raw") { raw = true; continue; }
        if (i + 1 >= argc) die("no value for " + o);
        std::string v = argv[++i];
        if (o != "--seed" && o != "--repeats" && o != "--csv") said += (said.empty() ? "" : " ") + o + " " + v;
        auto script = [&]() {          // OF@AT+LENGTH,... with '-' for a step back
            std::vector<Spell> list;
            for (auto &x : split(v, ',')) {
                size_t a = x.find('@'), b = x.find_first_of("+-", a);
                if (a == std::string::npos || b == std::string::npos) die(o + " " + v);
                std::string who = x.substr(0, a);
                Ns length = parse_span(x.substr(b + 1));
                list.push_back({who == "lock" ? -1 : std::stoi(who), parse_span(x.substr(a + 1, b - a - 1)), x[b] == '-' ? -length : length});
            }
            return list;
        };
        auto spells = [&]() {
            Spells s;
            size_t p = v.find('/');
            if (p == std::string::npos) s.script = script();
            else { s.every = parse_span(v.substr(0, p)); s.length = Dist::parse(v.substr(p + 1)); }
            return s;
        };
        auto moments = [&]() {
            Moments m;
            if (v[0] != '@') m.every = parse_span(v);
            else for (auto &x : split(v, ',')) m.at.push_back(parse_span(x.substr(1)));
            return m;
        };
        auto pair_at = [&](char c) {
            size_t p = v.find(c);
            if (p == std::string::npos) die("no '" + std::string(1, c) + "' in " + o + " " + v);
            return std::make_pair(v.substr(0, p), v.substr(p + 1));
        };
        if (o == "--clients") sc.clients = std::stoi(v);
        else if (o == "--think") sc.think = Dist::parse(v);
        else if (o == "--work") sc.work = Dist::parse(v);
        else if (o == "--latency") sc.latency = Dist::parse(v);
        else if (o == "--commit") sc.commit = Dist::parse(v);
        else if (o == "--lease") sc.lease = parse_span(v);
        else if (o == "--renew-every") { if (v == "never") sc.renew_every.reset(); else sc.renew_every = parse_span(v); }
        else if (o == "--on-lost") {
            if (v == "ignore") sc.on_lost = OnLost::Ignore; else if (v == "give_up") sc.on_lost = OnLost::GiveUp;
            else die("on-lost: " + v);
        } else if (o == "--look") {
            if (v == "never") sc.look = Look::Never; else if (v == "own_clock") sc.look = Look::OwnClock;
            else if (v == "ask_service") sc.look = Look::AskService; else die("look: " + v);
        } else if (o == "--token-check") {
            if (v == "never") sc.check = Check::Never; else if (v == "on_write") sc.check = Check::OnWrite;
            else if (v == "on_every_request") sc.check = Check::OnEveryRequest; else die("token-check: " + v);
        } else if (o == "--first-token") sc.first_token = std::stoll(v);
        else if (o == "--critical-section") {
            if (v == "never") sc.cs_probability = 0;
            else { auto p = pair_at('/'); sc.cs_probability = std::stod(p.first); sc.cs_length = Dist::parse(p.second); }
        } else if (o == "--poisson") { auto p = pair_at('/'); sc.poisson_every = parse_span(p.first); sc.poisson_length = Dist::parse(p.second); }
        else if (o == "--script") {
            for (auto &x : split(v, ',')) {
                size_t a = x.find('@'), b = x.find('+');
                if (a == std::string::npos || b == std::string::npos) die("script: " + x);
                sc.script.push_back({std::stoi(x.substr(0, a)), parse_span(x.substr(a + 1, b - a - 1)), parse_span(x.substr(b + 1))});
            }
        } else if (o == "--crash-every") sc.crash_every = parse_span(v);
        else if (o == "--restart-after") sc.restart_after = parse_span(v);
        else if (o == "--condition") {
            if (v == "same_version") sc.condition = Condition::SameVersion;
            else if (v.rfind("entity_tag:", 0) == 0) { sc.condition = Condition::SameEntityTag; sc.contents = std::stoll(v.substr(11)); }
            else if (v == "if_absent") sc.condition = Condition::IfAbsent;
            else if (v != "none") die("condition: " + v);
        } else if (o == "--tokens") {
            if (v == "random") sc.tokens = Tokens::Random; else if (v == "session_id") sc.tokens = Tokens::SessionId;
            else if (v.rfind("wrapping:", 0) == 0) { sc.tokens = Tokens::Wrapping; sc.highest = std::stoll(v.substr(9)); }
            else if (v != "increasing") die("tokens: " + v);
        } else if (o == "--measure") {
            if (v == "wall_clock") sc.measure = Measure::WallClock; else if (v != "spans") die("measure: " + v);
        } else if (o == "--lock-clock" || o == "--client-clock") {
            auto p = pair_at(',');
            Clock &k = o == "--lock-clock" ? sc.lock_clock : sc.client_clock;
            k.showed = parse_span(p.first);
            k.pace = std::llround(std::stod(p.second) * 1e9);
        } else if (o == "--late-writes" || o == "--duplicate-writes") {
            auto p = pair_at('/');
            Mishap &m = o == "--late-writes" ? sc.late_writes : sc.duplicate_writes;
            m.probability = std::stod(p.first);
            m.delay = Dist::parse(p.second);
        }
        else if (o == "--stores") sc.stores = std::stoi(v);
        else if (o == "--registers-with") sc.registers_with = std::stoi(v);
        else if (o == "--no-lock") sc.no_lock = v == "yes";
        else if (o == "--check-to-write") sc.check_to_write = Dist::parse(v);
        else if (o == "--forgets") sc.forgets = moments();
        else if (o == "--takeover-delay") sc.takeover_delay = parse_span(v);
        else if (o == "--stalls") sc.stalls = spells();
        else if (o == "--fails-over") sc.fails_over = moments();
        else if (o == "--forgets-numbers") sc.forgets_numbers = moments();
        else if (o == "--majority") sc.instances = std::stoi(v);
        else if (o == "--paces") for (auto &x : split(v, ',')) sc.paces.push_back(std::llround(std::stod(x) * 1e9));
        else if (o == "--outages") sc.outages = spells();
        else if (o == "--instance-steps") sc.clock_steps_of_instances = spells();
        else if (o == "--lost-answers") sc.lost_answers = std::stod(v);
        else if (o == "--retry-after") sc.retry_after = parse_span(v);
        else if (o == "--partitions") sc.partitions = spells();
        else if (o == "--stand-still") sc.stand_still = v == "yes";
        else if (o == "--clock-steps") sc.clock_steps = script();
        else if (o == "--csv") csv = v;
        else if (o == "--grants") sc.stop_grants = v == "none" ? -1 : std::stoll(v);
        else if (o == "--time") sc.stop_time = parse_span(v);
        else if (o == "--seed") seed = std::stoull(v);
        else if (o == "--repeats") repeats = std::stoi(v);
        else die("no such option: " + o);
    }
    if (sc.stop_grants < 0 && !sc.stop_time) die("a run needs a bound: --grants or --time");
    if (sc.clients < 1 || repeats < 1) die("clients and repeats: at least 1");

    std::vector<std::string> names;
    std::map<std::string, std::vector<double>> all;
    for (int r = 0; r < repeats; ++r) {
        World w(sc, seed + (uint64_t)r, tracing);
        Figures f = w.run();
        if (r == 0) {
            for (auto &p : f) names.push_back(p.first);
            for (auto &k : PER_GRANT) names.push_back(k + "_per_grant");
        }
        std::map<std::string, double> m(f.begin(), f.end());
        for (auto &k : PER_GRANT) m[k + "_per_grant"] = m["grants"] > 0 ? m[k] / m["grants"] : std::numeric_limits<double>::quiet_NaN();
        for (auto &n : names) all[n].push_back(m[n]);
    }
    if (!csv.empty()) return print_rows(csv, all);
    std::cout << "{\n  \"scenario\": \"" << said << "\",\n  \"seed\": " << seed << ",\n  \"repeats\": " << repeats;
    for (auto &n : names) {
        std::cout << ",\n  \"" << n << "\": ";
        auto &v = all[n];
        if (repeats == 1) { std::cout << num(v[0]); continue; }
        Mean m = mean_of(v);
        std::cout << "{\"mean\": " << num(m.mean) << ", \"se\": " << num(m.se) << ", \"n\": " << m.n << "}";
    }
    if (raw && repeats > 1) {
        std::cout << ",\n  \"runs\": {";
        for (size_t i = 0; i < names.size(); ++i) {
            std::cout << (i ? ",\n    \"" : "\n    \"") << names[i] << "\": [";
            for (size_t j = 0; j < all[names[i]].size(); ++j) std::cout << (j ? ", " : "") << num(all[names[i]][j]);
            std::cout << "]";
        }
        std::cout << "\n  }";
    }
    std::cout << "\n}\n";
}
