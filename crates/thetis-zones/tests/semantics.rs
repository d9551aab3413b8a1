//! Small models as UPPAAL's users write them, with answers derived by hand.

mod common;

use thetis_base::Run;
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_model::Verdict;
use thetis_z3::{Z3Config, Z3Factory};
use thetis_zones::Zones;

/// What the engine says after its evidence was checked: `yes` or `no` to the query, or why there is no answer.
fn answer(model: &str, query: &str) -> String {
    let task = common::task(model, query);
    let (run, solvers) = (Run::unlimited(), Z3Factory::new(Z3Config::default()));
    let verdict = Zones::default().check(&task, &run).expect("nothing should stop the engine");
    let verdict = certify(&task, verdict, &solvers, &run).expect("nothing should stop the checker").verdict;
    let word = match &verdict {
        Verdict::Safe(_) => task.property.safe_word(),
        Verdict::Unsafe(_) => task.property.unsafe_word(),
        Verdict::Unknown(reason) => return format!("unknown: {reason}"),
    };
    match word {
        "reachable" | "satisfied" | "holds" => "yes".into(),
        _ => "no".into(),
    }
}

fn expect(model: &str, queries: &[(&str, &str)]) {
    for (query, expected) in queries {
        let found = answer(model, query);
        assert!(found.starts_with(expected), "{query}: {found}\n{model}");
    }
}

#[test]
fn updates_happen_in_the_order_of_the_synchronisation() {
    let model = "int n; int m; chan c;
        process S() { state a, b; init a; trans a -> b { sync c!; assign m = 1; }; }
        process R() { state a, b; init a; trans a -> b { guard m == 0; sync c?; assign n = m; }; }
        P = R(); Q = S(); system P, Q;";
    expect(model, &[("E<> P.b and n == 1", "yes"), ("E<> P.b and n == 0", "no")]);
    let broadcast = "int n; int o[2]; broadcast chan c;
        process S() { state a, b; init a; trans a -> b { sync c!; assign n = 0; }; }
        process R(const int i) { state x, y; init x; trans x -> y { sync c?; assign n = n + 1, o[i] = n; }; }
        A = R(0); B = R(1); system A, S, B;";
    expect(broadcast, &[("A[] S.b imply (o[0] == 1 and o[1] == 2)", "yes"), ("A[] not deadlock", "no")]);
}

#[test]
fn broadcasts_reach_whoever_can_receive() {
    let model = "broadcast chan c; int t;
        process S() { clock z; state a, b; init a;
            trans a -> b { guard z >= 3; sync c!; assign t = 3; }, a -> b { guard z < 3; sync c!; }; }
        process R() { clock x; state x0, x1; init x0; trans x0 -> x1 { guard x >= 3; sync c?; }; }
        A = R(); system S, A;";
    expect(
        model,
        &[("E<> S.b and A.x0", "yes"), ("E<> S.b and A.x0 and t == 3", "no"), ("E<> A.x1 and A.x < 3", "no")],
    );
}

#[test]
fn committed_and_urgent_locations_stop_time() {
    let committed = "clock x;
        process PP() { state a, b, c; commit b; init a; trans a -> b { assign x = 0; }, b -> c { }; }
        process QQ() { state a, b; init a; trans a -> b { guard x < 1; assign x = 5; }; }
        P = PP(); Q = QQ(); system P, Q;";
    expect(
        committed,
        &[("E<> P.b and x > 0", "no"), ("E<> P.b and Q.b", "yes"), ("E<> P.c and Q.b and x < 5", "yes")],
    );
    let urgent = "clock x; urgent chan u;
        process PP() { state a, b; init a; trans a -> b { sync u!; assign x = 0; }; }
        process QQ() { state i { x <= 2 }, r, d; init i; trans i -> r { guard x >= 2; }, r -> d { sync u?; }; }
        P = PP(); Q = QQ(); system P, Q;";
    expect(urgent, &[("E<> Q.r and x > 2", "no"), ("A[] Q.d imply P.b", "yes"), ("A<> Q.d", "yes")]);
}

#[test]
fn invariants_hold_after_updates() {
    let model = "clock x;
        process PP() { state a { x <= 5 }, b { x <= 3 }, c { x <= 3 }; init a;
            trans a -> b { guard x >= 4; }, a -> c { guard x >= 4; assign x = 2; }; }
        P = PP(); system P;";
    expect(model, &[("E<> P.b", "no"), ("E<> P.c and x == 3", "yes"), ("E<> deadlock and P.a", "no")]);
}

#[test]
fn numbers_become_truth_values_and_keep_their_ranges() {
    let truth = "bool b; int n = 5; bool f(bool c) { return c; }
        process PP() { state s, t; init s; trans s -> t { assign b = n, n = f(n) + 1; }; }
        P = PP(); system P;";
    expect(truth, &[("E<> P.t and b == 1 and n == 2", "yes"), ("E<> P.t and (b != 1 or n != 2)", "no")]);
    let range = "int n = 7; int f(int[0,3] k) { return k; }
        process PP() { state s, t; init s; trans s -> t { assign n = f(n); }; }
        P = PP(); system P;";
    expect(range, &[("E<> P.t", "unknown"), ("E<> P.s and n == 7", "yes")]);
}

#[test]
fn templates_are_instantiated_in_parts() {
    let model = "int g; int h; const int N = 3; typedef int[0,N-1] id_t; int cnt; typedef scalar[2] S; S s;
        process T(int &v, const int k) { state a, b; init a; trans a -> b { assign v = k; }; }
        process U(const id_t i) { state a, b; init a; trans a -> b { assign cnt += 1 << i; }; }
        process V(const S me) { state a, b; init a; trans a -> b { guard s == me; }; }
        TG(const int j) = T(g, j + 1);
        A = TG(4); B = T(h, 6);
        system A, B, U, V;";
    expect(
        model,
        &[
            ("E<> A.b and B.b and g == 5 and h == 6", "yes"),
            ("E<> g == 6", "no"),
            ("A[] cnt <= 7", "yes"),
            ("E<> cnt == 7 and forall (i : id_t) U(i).b", "yes"),
            ("E<> V(0).b and V(1).b", "no"),
        ],
    );
}

#[test]
fn channels_and_processes_have_priorities() {
    let channels = "chan a, b, d[2]; chan priority a, d[0] < default < b; int n;
        process S() { state s, t; init s;
            trans s -> t { sync a!; assign n = 1; }, s -> t { sync b!; assign n = 2; }, s -> t { assign n = 3; }; }
        process R() { state s; init s; trans s -> s { sync a?; }, s -> s { sync b?; }; }
        P = S(); Q = R(); system P, Q;";
    expect(channels, &[("E<> n == 2", "yes"), ("E<> n == 1", "no"), ("E<> n == 3", "no")]);
    // The move of the other process is possible only from 2 on, and not into its invariant after 4.
    let clocks = "clock x; int n;
        process Low() { clock y; state s, t; init s; trans s -> t { assign n = 1, y = 0; }; }
        process High() { state s, t { x <= 4 }; init s; trans s -> t { guard x >= 2; }; }
        L = Low(); H = High(); system L < H;";
    expect(
        clocks,
        &[
            ("E<> L.t and H.s and x < 2", "yes"),
            ("E<> L.t and H.s and x - L.y >= 2 and x - L.y <= 4", "no"),
            ("E<> L.t and H.s and x - L.y > 4", "yes"),
            ("E<> L.t and H.t", "yes"),
        ],
    );
    let bounds = "clock x;
        process Low() { state s, t; init s; trans s -> t { }; }
        process High() { state s, t { x <= 4 }; init s; trans s -> t { guard x >= 2; }; }
        L = Low(); H = High(); system L < H;";
    expect(
        bounds,
        &[("E<> L.t and H.s and x < 2", "yes"), ("A[] (L.t and H.s) imply x >= 0", "yes"), ("A<> L.t", "no")],
    );
}

#[test]
fn every_move_updates_before_and_after() {
    let model = "int n; int k; before_update { n = 10 * n } after_update { k = n }
        process PP() { state s, t, u; init s; trans s -> t { guard n == 0; assign n += 1; }, t -> u { assign n += 2; }; }
        P = PP(); system P; progress { n; k; }";
    expect(
        model,
        &[
            ("E<> P.u and n == 12 and k == 12", "yes"),
            ("E<> P.t and k == 1", "yes"),
            ("E<> P.u and k != 12", "no"),
        ],
    );
}

#[test]
fn liveness_of_a_simple_machine() {
    let model = "clock x;
        process PP() { state a { x <= 2 }, b, c; init a; trans a -> b { }, b -> c { }; }
        P = PP(); system P;";
    expect(
        model,
        &[
            ("A<> P.b", "yes"),
            ("P.a --> P.b", "yes"),
            ("A<> P.c", "no"),
            ("E[] P.a", "no"),
            ("E[] P.a or P.b", "yes"),
            ("P.b --> P.c", "no"),
        ],
    );
}

#[test]
fn strict_bounds_and_differences() {
    let strict = "clock x;
        process PP() { state a { x < 1 }, b, c; init a; trans a -> b { guard x >= 1; }, a -> c { guard x > 0; }; }
        P = PP(); system P;";
    expect(strict, &[("E<> P.b", "no"), ("E<> P.c", "yes"), ("E<> P.a and x == 0", "yes")]);
    let difference = "clock x, y;
        process PP() { state a { x <= 2 }, b; init a; trans a -> b { guard x - y <= 0; assign y = 0; }; }
        P = PP(); system P;";
    expect(difference, &[("E<> P.b and x - y == 2", "yes"), ("A[] x - y <= 2 and x >= y", "yes")]);
}

#[test]
fn functions_loop_over_arrays_and_change_structures() {
    let sorting = "const int N = 4; int a[N] = {3, 1, 2, 0}; int all;
        int total() { int s = 0; for (i : int[0,N-1]) s += a[i]; return s; }
        void sort() { int i; int j; for (i = 0; i < N; i++) { for (j = 0; j + 1 < N - i; j++) {
            if (a[j] > a[j+1]) { int t = a[j]; a[j] = a[j+1]; a[j+1] = t; } } } }
        int gcd(int x, int y) { while (y != 0) { int t = x % y; x = y; y = t; } return x; }
        process P() { state s, t, u; init s;
            trans s -> t { assign all = total(), sort(); }, t -> u { guard gcd(12, 18) == 6; }; }
        system P;";
    expect(
        sorting,
        &[
            ("E<> P.u and a[0] == 0 and a[3] == 3 and all == 6", "yes"),
            ("A[] P.t imply forall (i : int[0,2]) a[i] < a[i+1]", "yes"),
            ("E<> exists (i : int[0,3]) a[i] == 7", "no"),
        ],
    );
    let records = "typedef struct { int[0,7] a; bool b; int c[2]; } T; T t = { 1, true, {4, 5} }; T u;
        void set(T &p, int v) { p.a = v; p.c[1] = p.c[1] + 1; }
        bool same(T p, T q) { return p.a == q.a && p.c[1] == q.c[1]; }
        process P() { state s, w, v; init s;
            trans s -> w { assign u = t, set(u, 3); }, w -> v { guard !same(t, u); assign t = u; }; }
        system P;";
    let copied = "E<> P.v and t.a == 3 and t.c[1] == 6 and t.c[0] == 4 and t.b";
    expect(records, &[(copied, "yes"), ("A[] P.w imply t.c[1] == 5", "yes")]);
}

#[test]
fn selected_channels_reach_their_process() {
    let model = "typedef int[0,3] id; int[0,9] last; int cnt[id]; chan c[id];
        process S() { state s; init s; trans s -> s { select i : id, k : int[1,2];
            guard i != 2 && cnt[i] < 2; sync c[i]!; assign cnt[i] += k, last = i + k; }; }
        process R(const id me) { int got; state s; init s; trans s -> s { sync c[me]?; assign got = last; }; }
        system S, R;";
    expect(
        model,
        &[
            ("E<> last == 5", "yes"),
            ("E<> last == 6", "no"),
            ("A[] forall (i : id) cnt[i] <= 3", "yes"),
            ("A[] cnt[0] <= 2", "no"),
            ("E<> R(3).got == 5", "yes"),
            ("A[] R(2).got == 0", "yes"),
        ],
    );
}

#[test]
fn urgent_channels_do_not_wait() {
    let model = "urgent chan go; clock g;
        process P() { state s, t; init s; trans s -> t { sync go!; }; }
        process Q() { clock y; state s { y <= 3 }, w, t; init s;
            trans s -> w { guard y >= 2; assign y = 0; }, w -> t { sync go?; }; }
        system P, Q;";
    expect(
        model,
        &[
            ("A[] Q.w imply Q.y <= 0", "yes"),
            ("E<> P.t and g <= 2", "yes"),
            ("E<> P.t and g < 2", "no"),
            ("A[] Q.w imply g <= 3", "yes"),
        ],
    );
}

#[test]
fn clocks_are_set_to_values_and_compared_with_each_other() {
    let values = "clock x, y, z; int k = 4;
        process P() { state s, t; init s; trans s -> t { guard x >= 3 && x <= 5; assign y = 7, x = k + 1; }; }
        system P;";
    expect(
        values,
        &[
            ("A[] P.t imply y - x == 2", "yes"),
            ("E<> P.t and y == 7 and z == 3", "yes"),
            ("E<> P.t and x - z > 2", "no"),
            ("E<> P.t and x - z >= 2", "yes"),
        ],
    );
    let strict = "clock x, g;
        process P() { state a { x < 5 }, b, c; urgent b; init a;
            trans a -> b { guard x > 3; assign x = 0; }, b -> c { guard x == 0; }; }
        system P;";
    expect(
        strict,
        &[
            ("A[] P.b imply g < 5", "yes"),
            ("A[] P.b imply g <= 4", "no"),
            ("E<> P.b and g == 5", "no"),
            ("A[] P.b imply g > 3", "yes"),
        ],
    );
}
