//! Random formulas: their circuits compute what the evaluator says.

use fastrand::Rng;
use thetis_expr::{BitVec, evaluate};
use thetis_model::sts::{StsBuilder, StsProperty};

use super::*;

/// Variables of each kind, and random formulas over them.
struct Formulas<'s> {
    store: &'s Store,
    bools: Vec<VarId>,
    ints: Vec<(VarId, i64, i64)>,
    vectors: Vec<VarId>,
}

const WIDTH: u32 = 4;

impl<'s> Formulas<'s> {
    fn new(store: &'s Store) -> Formulas<'s> {
        Formulas {
            store,
            bools: vec![store.declare("b", Sort::Bool), store.declare("c", Sort::Bool)],
            ints: vec![
                (store.declare("i", Sort::Int), -3, 4),
                (store.declare("j", Sort::Int), 0, 5),
                (store.declare("k", Sort::Int), -128, 5000),
            ],
            vectors: vec![store.declare("v", Sort::bitvec(WIDTH)), store.declare("w", Sort::bitvec(WIDTH))],
        }
    }

    fn formula(&self, rng: &mut Rng, depth: u32) -> ExprId {
        let store = self.store;
        match rng.usize(..9) {
            0 => store.var_expr(self.bools[rng.usize(..2)]),
            1 if depth > 0 => store.and(self.formula(rng, depth - 1), self.formula(rng, depth - 1)),
            2 if depth > 0 => store.not(self.formula(rng, depth - 1)),
            3 => store.lt(self.int(rng, depth), self.int(rng, depth)),
            4 => store.eq(self.int(rng, depth), self.int(rng, depth)),
            5 => store.eq(self.vector(rng, depth), self.vector(rng, depth)),
            number => {
                let comparisons = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];
                let args = [self.vector(rng, depth), self.vector(rng, depth)];
                applied(store, comparisons[(number + rng.usize(..4)) % 4], args)
            }
        }
    }

    fn int(&self, rng: &mut Rng, depth: u32) -> ExprId {
        let store = self.store;
        if depth == 0 {
            return match rng.usize(..4) {
                0 => store.int(rng.i64(-9..10)),
                number => store.var_expr(self.ints[number - 1].0),
            };
        }
        let (left, right) = (self.int(rng, depth - 1), self.int(rng, depth - 1));
        let divisor = store.int([1, 2, 3, 7, 8, 256][rng.usize(..6)]);
        match rng.usize(..8) {
            0 => store.add(left, right),
            1 => store.sub(left, right),
            2 => store.mul(left, right),
            3 => store.modulo(left, divisor),
            4 => store.int_div(left, divisor),
            5 => store.neg(left),
            6 => store.bv_to_int(self.vector(rng, depth - 1)),
            _ => store.ite(self.formula(rng, depth - 1), left, right),
        }
    }

    fn vector(&self, rng: &mut Rng, depth: u32) -> ExprId {
        let store = self.store;
        if depth == 0 {
            return match rng.usize(..3) {
                0 => store.literal(Value::BitVec(BitVec::new(WIDTH, rng.u32(..16)))),
                number => store.var_expr(self.vectors[number - 1]),
            };
        }
        let (left, right) = (self.vector(rng, depth - 1), self.vector(rng, depth - 1));
        let binary = [
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ];
        match rng.usize(..18) {
            number if number < binary.len() => applied(store, binary[number], [left, right]),
            13 => store.bv_not(left),
            14 => store.bv_neg(left),
            15 => store.int_to_bv(self.int(rng, depth - 1), WIDTH),
            16 => {
                let (low, high) = (store.extract(left, 1, 2), store.extract(right, 0, 2));
                store.concat(high, low)
            }
            _ => store.ite(self.formula(rng, depth - 1), left, right),
        }
    }

    fn value(&self, rng: &mut Rng, group: Group) -> Value {
        match group.kind {
            BitGroupKind::Bool => Value::Bool(rng.bool()),
            BitGroupKind::Int(range) => Value::int(rng.i64(range.low..=range.high)),
            BitGroupKind::Vector(width) => Value::BitVec(BitVec::new(width, rng.u32(..1 << width))),
        }
    }
}

fn applied(store: &Store, op: Op, args: [ExprId; 2]) -> ExprId {
    store.app(op, None, &args).expect("the arguments should have the same width")
}

#[test]
fn circuits_compute_what_the_evaluator_says() {
    let mut rng = Rng::with_seed(7);
    let mut num_true = 0;
    for _ in 0..600 {
        let store = Store::new();
        let formulas = Formulas::new(&store);
        let bad = formulas.formula(&mut rng, 3);
        let mut builder = StsBuilder::new("s");
        formulas.bools.iter().chain(&formulas.vectors).for_each(|var| builder.var(*var));
        for (var, low, high) in &formulas.ints {
            let term = store.var_expr(*var);
            builder.var(*var);
            builder.constraint(store.and(store.le(store.int(*low), term), store.le(term, store.int(*high))));
        }
        builder.bad(bad);
        let model = builder.build(&store).expect("the system should be valid");
        let task = Task { store: store.clone(), model, property: StsProperty::Globally };
        let lowered = Lowered::new(&task, ValueKinds::Machine).expect("all of it should be bits");
        for _ in 0..20 {
            let groups = &lowered.groups.latches;
            let values: Vec<(VarId, Value)> =
                groups.iter().map(|group| (group.var, formulas.value(&mut rng, *group))).collect();
            let value_of =
                |var: VarId| values.iter().find(|(own, _)| *own == var).map(|(_, value)| value.clone());
            let bits = groups.iter().flat_map(|group| {
                group.bits_of(&value_of(group.var).expect("it has a value")).expect("it is in its range")
            });
            let latches: Vec<bool> = bits.collect();
            let inputs = vec![false; lowered.netlist.graph.num_inputs()];
            let bad_edge = lowered.netlist.bad;
            let computed =
                lowered.netlist.graph.evaluate(&latches, &inputs)[bad_edge.node()] ^ bad_edge.is_negated();
            let expected = evaluate(&task.store, bad, &value_of).expect("all variables have values");
            assert_eq!(Value::Bool(computed), expected, "{values:?}");
            assert_eq!(
                lowered.step(&latches, &inputs).state,
                values.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>()
            );
            num_true += u32::from(computed);
        }
    }
    assert!((1000..11_000).contains(&num_true), "{num_true} of 12,000 are true");
}
