//! Families of timed automata on which tools of the field are commonly measured, for any number of processes.
//!
//! Each is a text in UPPAAL's language, written for this project after the publications, with the constants of TChecker's
//! generators where TChecker has the family, so that numbers of symbolic states can be compared.

/// A family of models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimedFamily {
    /// The name on the command line.
    pub name: &'static str,
    /// The query that is usually asked, which holds.
    pub query: &'static str,
    /// The model, in which `SIZE` stands for the number of processes.
    template: &'static str,
}

impl TimedFamily {
    /// All families.
    pub const ALL: [TimedFamily; 6] = [
        TimedFamily { name: "fischer", query: MUTUAL_EXCLUSION, template: FISCHER },
        TimedFamily { name: "csma-cd", query: "explore", template: CSMA_CD },
        TimedFamily { name: "fddi", query: "explore", template: FDDI },
        TimedFamily { name: "lynch", query: MUTUAL_EXCLUSION, template: LYNCH },
        TimedFamily { name: "critical-region", query: MUTUAL_EXCLUSION, template: CRITICAL_REGION },
        TimedFamily { name: "train-gate", query: MUTUAL_EXCLUSION, template: TRAIN_GATE },
    ];

    /// The model with `size` processes.
    pub fn model(&self, size: u32) -> String {
        format!(
            "// {}, {size} processes. Ask: {}\n{}",
            self.name,
            self.query,
            self.template.replace("SIZE", &size.to_string())
        )
    }
}

const MUTUAL_EXCLUSION: &str = "A[] forall (i : id_t) forall (j : id_t) (P(i).cs and P(j).cs) imply i == j";

/// Fischer's protocol (Abadi and Lamport, An Old-Fashioned Recipe for Real Time, 1994).
const FISCHER: &str = "const int N = SIZE;
typedef int[1, N] id_t;
int[0, N] id;

process P(const id_t pid) {
    clock x;
    state idle, req { x <= 10 }, wait, cs;
    init idle;
    trans
        idle -> req { guard id == 0; assign x = 0; },
        req -> wait { guard x <= 10; assign x = 0, id = pid; },
        wait -> req { guard id == 0; assign x = 0; },
        wait -> cs { guard x > 10 && id == pid; },
        cs -> idle { assign id = 0; };
}

system P;
";

/// Carrier sense multiple access with collision detection (Yovine, Kronos: A Verification Tool for Real-Time Systems, 1997).
const CSMA_CD: &str = "const int N = SIZE;
const int TRANSMISSION = 808;
const int PROPAGATION = 26;
typedef int[1, N] id_t;
chan begin, end, busy;
broadcast chan collide;

process Bus() {
    clock y;
    state idle, active, collision { y < PROPAGATION };
    init idle;
    trans
        idle -> active { sync begin?; assign y = 0; },
        active -> collision { guard y < PROPAGATION; sync begin?; assign y = 0; },
        active -> active { guard y >= PROPAGATION; sync busy!; },
        active -> idle { sync end?; assign y = 0; },
        collision -> idle { guard y < PROPAGATION; sync collide!; assign y = 0; };
}

process P(const id_t pid) {
    clock x;
    state wait, start { x <= TRANSMISSION }, retry { x < 2 * PROPAGATION };
    init wait;
    trans
        wait -> start { sync begin!; assign x = 0; },
        wait -> retry { sync busy?; assign x = 0; },
        wait -> wait { sync collide?; assign x = 0; },
        wait -> retry { sync collide?; assign x = 0; },
        start -> wait { guard x == TRANSMISSION; sync end!; assign x = 0; },
        start -> retry { sync collide?; assign x = 0; },
        retry -> start { guard x < 2 * PROPAGATION; sync begin!; assign x = 0; },
        retry -> retry { sync collide?; assign x = 0; };
}

system Bus, P;
";

/// Fiber distributed data interface: a token ring (Daws and Tripakis, Model Checking of Real-Time Reachability Properties
/// Using Abstractions, 1998).
const FDDI: &str = "const int N = SIZE;
const int ROTATION = 50 * N;
const int SYNCHRONOUS = 20;
typedef int[1, N] id_t;
chan token[id_t], release[id_t];

process P(const id_t pid) {
    clock trt, y, z;
    state
        idle1, late1 { trt <= SYNCHRONOUS }, early1 { trt <= SYNCHRONOUS }, extra1 { z <= ROTATION + SYNCHRONOUS },
        idle2, late2 { trt <= SYNCHRONOUS }, early2 { trt <= SYNCHRONOUS }, extra2 { y <= ROTATION + SYNCHRONOUS };
    init idle1;
    trans
        idle1 -> late1 { guard trt >= ROTATION; sync token[pid]?; assign trt = 0, y = 0; },
        idle1 -> early1 { guard trt < ROTATION; sync token[pid]?; assign trt = 0, y = 0; },
        late1 -> idle2 { guard trt >= SYNCHRONOUS; sync release[pid]!; },
        early1 -> extra1 { guard trt >= SYNCHRONOUS; },
        extra1 -> idle2 { sync release[pid]!; },
        idle2 -> late2 { guard trt >= ROTATION; sync token[pid]?; assign trt = 0, z = 0; },
        idle2 -> early2 { guard trt < ROTATION; sync token[pid]?; assign trt = 0, z = 0; },
        late2 -> idle1 { guard trt >= SYNCHRONOUS; sync release[pid]!; },
        early2 -> extra2 { guard trt >= SYNCHRONOUS; },
        extra2 -> idle1 { sync release[pid]!; };
}

process Ring() {
    clock t;
    id_t turn;
    state travels { t <= 0 }, held;
    init travels;
    trans
        travels -> held { guard t <= 0; sync token[turn]!; },
        held -> travels { sync release[turn]?; assign t = 0, turn = turn % N + 1; };
}

system P, Ring;
";

/// Lynch and Shavit's protocol (Timing-Based Mutual Exclusion, 1992).
const LYNCH: &str = "const int N = SIZE;
const int DELAY = 16;
typedef int[1, N] id_t;
int[0, N] id;
bool taken;

process P(const id_t pid) {
    clock x;
    state
        look, claim { x <= DELAY }, settle, check, take { x <= DELAY }, confirm, cs,
        free { x <= DELAY }, clear { x <= DELAY };
    init look;
    trans
        look -> claim { guard id == 0; assign x = 0; },
        claim -> settle { assign id = pid, x = 0; },
        settle -> look { guard id != pid; },
        settle -> check { guard id == pid && x > DELAY; },
        check -> look { guard taken; },
        check -> take { guard !taken; assign x = 0; },
        take -> confirm { assign taken = true, x = 0; },
        confirm -> look { guard id != pid; },
        confirm -> cs { guard id == pid; },
        cs -> free { assign x = 0; },
        free -> clear { assign taken = false, x = 0; },
        clear -> look { assign id = 0; };
}

system P;
";

/// Cells that test, ask an arbiter for a critical region and leave it within a time.
const CRITICAL_REGION: &str = "const int N = SIZE;
const int TEST = 25;
const int STAY = 50;
typedef int[1, N] id_t;
int[0, N] turn = 1;
chan enter[id_t], leave[id_t];

process Counter() {
    state count;
    init count;
    trans
        count -> count { guard turn > 0 && turn < N; assign turn = turn + 1; },
        count -> count { guard turn == N; assign turn = 1; };
}

process Arbiter(const id_t pid) {
    state free, busy;
    init free;
    trans
        free -> busy { guard turn == pid; sync enter[pid]!; assign turn = 0; },
        busy -> free { sync leave[pid]!; assign turn = pid; };
}

process P(const id_t pid) {
    clock x;
    state unready, test { x <= TEST }, ask, cs { x <= STAY }, again { x <= TEST }, safe, error;
    init unready;
    trans
        unready -> test { guard x <= STAY; assign x = 0; },
        test -> unready { guard x >= TEST; assign x = 0; },
        test -> ask { guard x < TEST; },
        ask -> cs { sync enter[pid]?; assign x = 0; },
        cs -> error { guard x >= STAY; },
        cs -> again { guard x < TEST; sync leave[pid]?; assign x = 0; },
        again -> error { guard x >= TEST; },
        again -> safe { guard x < TEST; };
}

system Counter, Arbiter, P;
";

/// Trains that a controller stops before a bridge (Yi, Pettersson and Daniels, Automatic Verification of Real-Time
/// Communicating Systems by Constraint-Solving, 1994).
const TRAIN_GATE: &str = "const int N = SIZE;
typedef int[1, N] id_t;
chan approach[id_t], leave[id_t], stop[id_t];
urgent chan go[id_t];

process P(const id_t pid) {
    clock x;
    state safe, near { x <= 20 }, stopped, start { x <= 15 }, cs { x <= 5 };
    init safe;
    trans
        safe -> near { sync approach[pid]!; assign x = 0; },
        near -> stopped { guard x <= 10; sync stop[pid]?; },
        near -> cs { guard x >= 10; assign x = 0; },
        stopped -> start { sync go[pid]?; assign x = 0; },
        start -> cs { guard x >= 7; assign x = 0; },
        cs -> safe { guard x >= 3; sync leave[pid]!; };
}

process Gate() {
    id_t queue[N + 1];
    int[0, N] length;

    void enqueue(id_t train) { queue[length] = train; length++; }
    void dequeue() {
        int i;
        length--;
        for (i = 0; i < length; i++) queue[i] = queue[i + 1];
    }
    id_t front() { return queue[0]; }
    id_t last() { return queue[length - 1]; }

    state free, occupied, stopping;
    commit stopping;
    init free;
    trans
        free -> occupied { select t : id_t; guard length == 0; sync approach[t]?; assign enqueue(t); },
        free -> occupied { guard length > 0; sync go[front()]!; },
        occupied -> stopping { select t : id_t; sync approach[t]?; assign enqueue(t); },
        occupied -> free { select t : id_t; guard t == front(); sync leave[t]?; assign dequeue(); },
        stopping -> occupied { sync stop[last()]!; };
}

system P, Gate;
";

#[cfg(test)]
mod tests {
    use super::TimedFamily;

    #[test]
    fn models_have_the_size_that_was_asked_for() {
        for family in TimedFamily::ALL {
            let text = family.model(7);
            assert!(text.contains("const int N = 7;") && !text.contains("SIZE"), "{}", family.name);
        }
    }
}
