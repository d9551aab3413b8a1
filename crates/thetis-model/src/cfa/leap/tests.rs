//! Rounds that are foreseen against rounds that are executed.

use std::collections::BTreeMap;

use thetis_expr::{BitVec, Sort, Store, evaluate};

use super::*;

/// Two integers, two bytes and a truth value.
struct World {
    store: Store,
    ints: [VarId; 2],
    bytes: [VarId; 2],
    flag: VarId,
}

type Values = BTreeMap<VarId, Value>;

impl World {
    fn new() -> World {
        let store = Store::new();
        let byte = Sort::bitvec(8);
        World {
            ints: ["x", "y"].map(|name| store.declare(name, Sort::Int)),
            bytes: ["a", "b"].map(|name| store.declare(name, byte)),
            flag: store.declare("flag", Sort::Bool),
            store,
        }
    }

    fn values(&self, random: &mut fastrand::Rng) -> Values {
        let ints = self.ints.map(|var| (var, Value::int(random.i32(-40..40))));
        let bytes = self.bytes.map(|var| (var, Value::BitVec(BitVec::new(8, random.u8(..)))));
        ints.into_iter().chain(bytes).chain([(self.flag, Value::Bool(random.bool()))]).collect()
    }

    fn int(&self, depth: u32, random: &mut fastrand::Rng) -> ExprId {
        let store = &self.store;
        let constant = |random: &mut fastrand::Rng| store.int(random.i32(-6..12));
        if depth == 0 {
            return match random.u8(..3) {
                0 => constant(random),
                _ => store.var_expr(self.ints[random.usize(..2)]),
            };
        }
        let one = self.int(depth - 1, random);
        match random.u8(..10) {
            0..=3 => store.add(one, constant(random)),
            4 => store.sub(one, self.int(depth - 1, random)),
            5 => store.mul(one, constant(random)),
            6 => store.modulo(one, store.int(random.i32(1..30))),
            7 => store.int_div(one, store.int(random.i32(1..9))),
            8 => store.bv_to_int(self.byte(depth - 1, random)),
            _ => store.ite(self.truth(depth - 1, random), one, self.int(depth - 1, random)),
        }
    }

    fn byte(&self, depth: u32, random: &mut fastrand::Rng) -> ExprId {
        let store = &self.store;
        let constant = |random: &mut fastrand::Rng| store.bits(8, random.u8(..13).wrapping_sub(4));
        if depth == 0 {
            return match random.u8(..3) {
                0 => constant(random),
                _ => store.var_expr(self.bytes[random.usize(..2)]),
            };
        }
        let one = self.byte(depth - 1, random);
        match random.u8(..18) {
            0..=3 => store.bv_add(one, constant(random)),
            4 => store.bv_sub(one, self.byte(depth - 1, random)),
            5 => store.bv_mul(one, constant(random)),
            6 => store.bv_udiv(one, constant(random)),
            7 => store.bv_urem(one, constant(random)),
            8 => store.bv_sdiv(one, constant(random)),
            9 => store.bv_srem(one, constant(random)),
            10 => store.bv_smod(one, constant(random)),
            11 => store.bv_and(one, store.bits(8, (1_u8 << random.u32(..8)) - 1)),
            12 => store.bv_shl(one, store.bits(8, random.u8(..10))),
            13 => store.bv_lshr(one, store.bits(8, random.u8(..10))),
            14 => store.bv_not(store.bv_neg(one)),
            15 => store.int_to_bv(self.int(depth - 1, random), 8),
            16 => self.resized(one, random),
            _ => store.ite(self.truth(depth - 1, random), one, self.byte(depth - 1, random)),
        }
    }

    /// A byte that was longer or shorter for a while.
    fn resized(&self, byte: ExprId, random: &mut fastrand::Rng) -> ExprId {
        let store = &self.store;
        let lowest = random.u32(..8);
        match random.u8(..4) {
            0 => store.extract(store.zero_extend(byte, 16), lowest, 8),
            1 => store.extract(store.sign_extend(byte, 16), lowest, 8),
            2 => store.extract(store.concat(byte, store.bits(8, random.u8(..))), lowest, 8),
            _ => store.sign_extend(store.extract(byte, lowest, 8 - lowest), 8),
        }
    }

    fn truth(&self, depth: u32, random: &mut fastrand::Rng) -> ExprId {
        let store = &self.store;
        let depth = depth.saturating_sub(1);
        match random.u8(..12) {
            0 => store.var_expr(self.flag),
            1 => store.not(self.truth(depth, random)),
            2 if depth > 0 => store.and(self.truth(depth, random), self.truth(depth, random)),
            3 if depth > 0 => store.or(self.truth(depth, random), self.truth(depth, random)),
            4 => store.le(self.int(depth, random), self.int(depth, random)),
            5 => store.eq(self.int(depth, random), self.int(depth, random)),
            6 => store.bv_ult(self.byte(depth, random), self.byte(depth, random)),
            7 => store.bv_ule(self.byte(depth, random), self.byte(depth, random)),
            8 => store.bv_slt(self.byte(depth, random), self.byte(depth, random)),
            9 => store.bv_sle(self.byte(depth, random), self.byte(depth, random)),
            10 => store.eq(self.byte(depth, random), self.byte(depth, random)),
            _ => store.lt(self.int(depth, random), self.int(depth, random)),
        }
    }

    fn stmt(&self, random: &mut fastrand::Rng) -> Stmt {
        let depth = random.u32(1..4);
        let var = random.usize(..2);
        match random.u8(..10) {
            0..=3 => Stmt::assign(self.ints[var], self.int(depth, random)),
            4..=6 => Stmt::assign(self.bytes[var], self.byte(depth, random)),
            7 => Stmt::assign(self.flag, self.truth(depth, random)),
            _ => Stmt::assume(self.truth(depth, random)),
        }
    }

    /// The values after a round; `None` if it blocks.
    fn execute(&self, round: &[Stmt], mut values: Values) -> Option<Values> {
        for stmt in round {
            let value = |term| evaluate(&self.store, term, &|var| values.get(&var).cloned()).unwrap();
            match &stmt.kind {
                StmtKind::Assign(var, term) => {
                    let value = value(*term);
                    values.insert(*var, value);
                }
                StmtKind::Assume(formula) if value(*formula) == Value::Bool(true) => {}
                _ => return None,
            }
        }
        Some(values)
    }
}

fn steps(stmts: &[Stmt]) -> Vec<RoundStep<'_>> {
    stmts.iter().map(|stmt| RoundStep { stmt, chosen: None, closed: Vec::new() }).collect()
}

#[test]
fn random_rounds_do_what_is_foreseen() {
    const MAX_ROUNDS: u64 = 300;
    let world = World::new();
    let mut random = fastrand::Rng::with_seed(7);
    let (mut num_foreseen, mut num_far) = (0, 0);
    for sample in 0..6_000 {
        let round: Vec<Stmt> = (0..random.usize(1..5)).map(|_| world.stmt(&mut random)).collect();
        let start = world.values(&mut random);
        let mut hidden = start.clone();
        if random.u8(..4) == 0 {
            hidden.remove(&world.ints[1]);
        }
        let foreseen = Leap::foresee(&world.store, &steps(&round), &|var| hidden.get(&var).cloned());
        let Some(leap) = foreseen else { continue };
        num_foreseen += 1;
        num_far += usize::from(leap.horizon > 5);
        let mut values = start;
        for number in 1..=leap.horizon.min(MAX_ROUNDS) {
            values = world.execute(&round, values).unwrap_or_else(|| panic!("{sample}: {number} {leap:?}"));
            for (var, value) in leap.values_after(&world.store, number) {
                let name = world.store.var_name(var);
                assert!(
                    value.is_none_or(|value| value == values[&var]),
                    "{sample}: {name} {number} {leap:?}"
                );
            }
        }
    }
    assert!(num_foreseen > 1000 && num_far > 400, "{num_foreseen} foreseen, {num_far} far");
}

#[test]
fn what_must_stay_closed_ends_the_horizon() {
    let world = World::new();
    let store = &world.store;
    let x = store.var_expr(world.ints[0]);
    let count = Stmt::assign(world.ints[0], store.add(x, store.int(2)));
    let closed = vec![store.lt(store.int(100), x)];
    let round = [RoundStep { stmt: &count, chosen: None, closed }];
    let leap = Leap::foresee(store, &round, &|_| Some(Value::int(0))).unwrap();
    assert_eq!(leap.horizon, 51, "before round 51 the number is 102");
    let other = Stmt::assume(store.le(store.int(0), x));
    assert!(Leap::foresee(store, &steps(&[other]), &|_| None).is_none(), "nobody knows");
}

#[test]
fn rounds_are_recognised() {
    let edges = |numbers: &[usize]| numbers.iter().map(|number| EdgeId::new(*number)).collect::<Vec<_>>();
    assert_eq!(last_round(&edges(&[9, 1, 2, 1, 2, 1, 2])), Some(&edges(&[1, 2])[..]));
    assert_eq!(last_round(&edges(&[1, 1, 2, 1, 1, 2, 1, 1, 2])), Some(&edges(&[1, 1, 2])[..]));
    assert_eq!(last_round(&edges(&[1, 2, 1, 2, 3])), None);
    assert_eq!(last_round(&[]), None);
}
