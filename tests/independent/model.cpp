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

// ---------------------------------------------------------------- the scenario

enum class OnLost { Ignore, GiveUp };
enum class Look { Never, OwnClock, AskService };
enum class Check { Never, OnWrite, OnEveryRequest };
struct ScriptedPause { int client; Ns at, length; };

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
    int64_t stop_grants = 10000;         // <0: no such bound
    std::optional<Ns> stop_time;
};

// ---------------------------------------------------------------- events

enum class E {
    // at the lock service
    AskArrives, RenewArrives, ReleaseArrives, LookArrives, LeaseExpires,
    // at the store
    ReadArrives, WriteArrives,
    // at a client: these wait while it is paused
    ThinkDone, RenewDue, GrantArrives, RenewAnswer, LookAnswer, ReadAnswer, WriteAnswer,
    // the client's own progress in work or commit (cannot fall due while it is paused)
    Progress,
    // the world acting on a client's process
    PoissonPause, ScriptPause, Resume, Crash, Restart
};

static const char *name_of(E e) {
    static const char *n[] = {"AskArrives", "RenewArrives", "ReleaseArrives", "LookArrives", "LeaseExpires",
        "ReadArrives", "WriteArrives", "ThinkDone", "RenewDue", "GrantArrives", "RenewAnswer", "LookAnswer",
        "ReadAnswer", "WriteAnswer", "Progress", "PoissonPause", "ScriptPause", "Resume", "Crash", "Restart"};
    return n[(int)e];
}

struct Event {
    Ns at = 0;
    uint64_t order = 0;
    E what{};
    int client = -1;
    int64_t token = 0;      // grants, requests, answers
    bool ok = false;        // answers
    int64_t version = 0;    // reads and writes
    Ns sent = 0;            // when a renewal was sent; a scripted pause's length
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
    int64_t token = -1;
    Ns asked_at = 0;
    Ns knows_end = 0;                 // the lease's end as the client knows it
    bool renewing = false;
    int64_t version_read = 0;
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
    uint64_t lease_id = 0;            // changes at each grant and renewal: old expiries are stale
    int64_t next_token;
    std::deque<int> line;
    // store
    int64_t version = 0;
    int64_t mark = std::numeric_limits<int64_t>::min();      // what the check compares with
    int64_t served = std::numeric_limits<int64_t>::min();    // audit: highest token served, read or write
    // audits
    int64_t a_grants = 0, a_expiries = 0, a_renewals = 0, a_gave_up = 0, a_accepted = 0, a_refused_w = 0,
            a_refused_r = 0, a_zombie = 0, a_lost = 0, a_overlaps = 0, a_crashes = 0;
    Ns a_overlap = 0, a_held = 0, believers_since = 0, held_since = 0;
    int believers = 0;
    Ns dead_since = -1;
    std::vector<Ns> a_recovery, a_wait;

    World(const Scenario &s, uint64_t seed, bool trace) : sc(s), rng(seed), tracing(trace), next_token(s.first_token) {}

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

    // ---- belief, for the audit of overlaps
    void set_belief(int c, bool b) {
        if (cl[c].believes == b) return;
        if (believers >= 2) a_overlap += now - believers_since;
        believers_since = now;
        believers += b ? 1 : -1;
        cl[c].believes = b;
    }

    // ---- lock service
    void grant(int c) {
        held = true;
        held_since = now;
        holder = c;
        current = next_token++;
        ++lease_id;
        ++a_grants;
        bool other = false;
        for (int i = 0; i < (int)cl.size(); ++i) other |= (i != c && cl[i].believes);
        if (other) ++a_overlaps;
        if (dead_since >= 0) { a_recovery.push_back(now - dead_since); dead_since = -1; }
        trace(c, "GRANT token " + std::to_string(current) + (other ? " (overlap)" : ""));
        Event x = ev(E::LeaseExpires, c);
        x.id = lease_id;
        in(sc.lease, x);
        Event g = ev(E::GrantArrives, c);
        g.token = current;
        send(g);
        if (sc.stop_grants >= 0 && a_grants >= sc.stop_grants) over = true;
    }
    void lease_ends() {
        a_held += now - held_since;
        held = false;
        holder = -1;
        ++lease_id;
        if (!line.empty()) {
            int c = line.front();
            line.pop_front();
            grant(c);
        }
    }

    // ---- client: its cycle
    void start_over(int c) {
        Client &k = cl[c];
        k.state = S::Thinking;
        k.token = -1;
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
        send(r);
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
            if (now >= k.knows_end) return give_up(c);
        } else if (sc.look == Look::AskService) {
            k.state = S::Looking;
            Event e = ev(E::LookArrives, c);
            e.token = k.token;
            return send(e);
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
        e.version = k.version_read;
        trace(c, "write leaves, token " + std::to_string(k.token));
        send(e);
    }
    void schedule_renewal(int c) {
        Event e = ev(E::RenewDue, c);
        e.token = cl[c].token;
        in(*sc.renew_every, e);
    }

    // ---- pauses
    void pause(int c, Ns length) {
        Client &k = cl[c];
        if (!k.alive) return;
        hold_still(c);
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
        // work or commit goes on from here; what waited is handled now, in its old order
        if (k.state == S::Working || k.state == S::Committing) run_on(c);
        while (!k.paused && !k.waiting.empty()) {
            Event e = k.waiting.front();
            k.waiting.pop_front();
            at_client(e);
        }
    }

    // ---- what reaches a client (it is alive and not paused)
    void at_client(const Event &e) {
        int c = e.client;
        Client &k = cl[c];
        switch (e.what) {
            case E::ThinkDone:
                if (k.state != S::Thinking || e.id != k.turn) return;
                k.state = S::WaitingForGrant;
                k.asked_at = now;
                return send(ev(E::AskArrives, c));
            case E::GrantArrives: {
                if (k.state != S::WaitingForGrant) { trace(c, "ignores a grant"); return; }
                a_wait.push_back(now - k.asked_at);
                set_belief(c, true);
                k.token = e.token;
                k.knows_end = now + sc.lease;
                if (sc.renew_every) { k.renewing = true; schedule_renewal(c); }
                k.state = S::Reading;
                Event r = ev(E::ReadArrives, c);
                r.token = k.token;
                return send(r);
            }
            case E::RenewDue: {
                if (!k.believes || !k.renewing || e.token != k.token) return;
                Event r = ev(E::RenewArrives, c);
                r.token = k.token;
                r.sent = now;
                send(r);
                return schedule_renewal(c);
            }
            case E::RenewAnswer:
                if (!k.believes || e.token != k.token) return;
                if (e.ok) { k.knows_end = std::max(k.knows_end, e.sent + sc.lease); return; }
                k.renewing = false;
                trace(c, "hears: lost");
                if (sc.on_lost == OnLost::GiveUp && k.state != S::Writing) give_up(c);
                return;
            case E::ReadAnswer:
                if (k.state != S::Reading || e.token != k.token) return;
                if (!e.ok) return end_turn(c);
                k.version_read = e.version;
                return begin_work(c);
            case E::LookAnswer:
                if (k.state != S::Looking || e.token != k.token) return;
                if (!e.ok) return give_up(c);
                return begin_commit(c);
            case E::WriteAnswer:
                if (k.state != S::Writing || e.token != k.token) return;
                return end_turn(c);
            default: die("not a client's event");
        }
    }

    void handle(const Event &e) {
        int c = e.client;
        switch (e.what) {
            case E::AskArrives:
                if (!held) return grant(c);
                if (std::find(line.begin(), line.end(), c) == line.end()) line.push_back(c);
                return;
            case E::RenewArrives: {
                bool ok = held && e.token == current;
                if (ok) {
                    ++a_renewals;
                    Event x = ev(E::LeaseExpires, c);
                    x.id = ++lease_id;
                    in(sc.lease, x);
                }
                Event r = ev(E::RenewAnswer, c);
                r.token = e.token;
                r.ok = ok;
                r.sent = e.sent;
                trace(c, ok ? "renewed" : "renewal refused: lost");
                return send(r);
            }
            case E::ReleaseArrives:
                if (held && e.token == current) lease_ends();
                return;
            case E::LookArrives: {
                Event r = ev(E::LookAnswer, c);
                r.token = e.token;
                r.ok = held && e.token == current;
                return send(r);
            }
            case E::LeaseExpires:
                if (!held || e.id != lease_id) return;
                ++a_expiries;
                trace(c, "lease expires");
                return lease_ends();

            case E::ReadArrives: {
                Event r = ev(E::ReadAnswer, c);
                r.token = e.token;
                r.ok = !(sc.check == Check::OnEveryRequest && e.token < mark);
                r.version = version;
                if (r.ok) {
                    served = std::max(served, e.token);
                    if (sc.check == Check::OnEveryRequest) mark = std::max(mark, e.token);
                } else ++a_refused_r;
                trace(c, std::string(r.ok ? "read served" : "read refused") + ", token " + std::to_string(e.token));
                return send(r);
            }
            case E::WriteArrives: {
                Event r = ev(E::WriteAnswer, c);
                r.token = e.token;
                r.ok = !(sc.check != Check::Never && e.token < mark);
                std::string note;
                if (r.ok) {
                    ++a_accepted;
                    if (served > e.token) { ++a_zombie; note += " ZOMBIE"; }
                    if (version != e.version) { ++a_lost; note += " LOST UPDATE"; }
                    ++version;
                    served = std::max(served, e.token);
                    if (sc.check != Check::Never) mark = std::max(mark, e.token);
                } else ++a_refused_w;
                trace(c, std::string(r.ok ? "write accepted" : "write refused") + ", token " + std::to_string(e.token) + note);
                return send(r);
            }

            case E::ThinkDone: case E::RenewDue: case E::GrantArrives: case E::RenewAnswer:
            case E::LookAnswer: case E::ReadAnswer: case E::WriteAnswer:
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
                k.alive = false;
                k.state = S::Dead;
                k.paused = false;
                k.waiting.clear();
                k.running = false;
                k.renewing = false;
                k.token = -1;
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

    Figures run() {
        cl.resize(sc.clients);
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
            {"zombie_writes", (double)a_zombie}, {"lost_updates", (double)a_lost}, {"overlaps", (double)a_overlaps},
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

int main(int argc, char **argv) {
    Scenario sc;
    uint64_t seed = 1;
    int repeats = 1;
    bool tracing = false, raw = false;
    std::string said;
    for (int i = 1; i < argc; ++i) {
        std::string o = argv[i];
        if (o == "--help") {
            std::cout <<
                "model [option value]...   (absent ones: the baseline of DESIGN section 3)\n"
                "  --clients N  --think D  --work D  --latency D  --commit D  --lease SPAN  --renew-every SPAN|never\n"
                "  --on-lost ignore|give_up  --look never|own_clock|ask_service\n"
                "  --token-check never|on_write|on_every_request  --first-token N\n"
                "  --critical-section P/D | never   --poisson SPAN/D   --script CLIENT@SPAN+SPAN,...\n"
                "  --crash-every SPAN  --restart-after SPAN  --grants N|none  --time SPAN\n"
                "  --seed N  --repeats N (seeds N, N+1, ...: mean and standard error)  --raw (each run's figures too)  --trace\n"
                "  D: constant:1s uniform:1s:3s exponential:2s log_normal:3s:1.2 pareto:1s:1.5 recorded:12ms,3s recorded_file:PATH\n";
            return 0;
        }
        if (o == "--trace") { tracing = true; continue; }
        if (o == "--raw") { raw = true; continue; }
        if (i + 1 >= argc) die("no value for " + o);
        std::string v = argv[++i];
        if (o != "--seed" && o != "--repeats") said += (said.empty() ? "" : " ") + o + " " + v;
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
    std::cout << "{\n  \"scenario\": \"" << said << "\",\n  \"seed\": " << seed << ",\n  \"repeats\": " << repeats;
    for (auto &n : names) {
        std::cout << ",\n  \"" << n << "\": ";
        auto &v = all[n];
        if (repeats == 1) { std::cout << num(v[0]); continue; }
        double s = 0, q = 0;
        int k = 0;
        for (double x : v) if (!std::isnan(x)) { s += x; ++k; }
        double mean = k ? s / k : std::numeric_limits<double>::quiet_NaN();
        for (double x : v) if (!std::isnan(x)) q += (x - mean) * (x - mean);
        double se = k > 1 ? std::sqrt(q / (k - 1) / k) : std::numeric_limits<double>::quiet_NaN();
        std::cout << "{\"mean\": " << num(mean) << ", \"se\": " << num(se) << ", \"n\": " << k << "}";
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
    (void)name_of;
}
