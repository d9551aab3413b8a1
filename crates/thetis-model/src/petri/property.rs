//! Questions about nets.

use std::fmt;

use super::{Net, Predicate, Relation};

/// A question about the reachable markings, with the text that asked it.
///
/// Engines look for a reachable marking that satisfies the [target](PetriProperty::target). `Unsafe` means that there is
/// one and comes with the firing sequence that leads there; `Safe` means that there is none. What these answers are
/// called for users depends on the question: see [`PetriProperty::safe_word`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PetriProperty {
    text: String,
    question: Question,
}

/// The kinds of questions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// `EF p`: can a marking with `p` be reached?
    Exists(Predicate),
    /// `AG p`: do all reachable markings have `p`?
    Always(Predicate),
    /// `deadlock`: can a marking be reached in which no transition is enabled?
    Deadlock,
    /// `one-safe`: does every place hold at most one token in all reachable markings?
    OneSafe,
    /// `state-space`: how many markings can be reached? There is no target; the number is in the statistics.
    StateSpace,
    /// `explore`: the net is read and explored, and nothing is asked.
    Explore,
}

impl PetriProperty {
    /// The question as the user wrote it.
    pub fn with_text(text: impl Into<String>, question: Question) -> PetriProperty {
        PetriProperty { text: text.into(), question }
    }

    /// The question, written in the names of `net`.
    pub fn new(net: &Net, question: Question) -> PetriProperty {
        let text = match &question {
            Question::Exists(predicate) => format!("EF {}", predicate.display(net)),
            Question::Always(predicate) => format!("AG {}", predicate.display(net)),
            Question::Deadlock => "deadlock".into(),
            Question::OneSafe => "one-safe".into(),
            Question::StateSpace => "state-space".into(),
            Question::Explore => "explore".into(),
        };
        PetriProperty { text, question }
    }

    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// What a reachable marking must satisfy for the verdict `Unsafe`.
    pub fn target(&self, net: &Net) -> Predicate {
        match &self.question {
            Question::Exists(predicate) => predicate.clone(),
            Question::Always(predicate) => Predicate::negated(predicate.clone()),
            Question::Deadlock => Predicate::Deadlock,
            Question::OneSafe => {
                let crowded = |place| Predicate::place(place, Relation::AtLeast, 2);
                Predicate::Or(net.place_ids().map(crowded).collect())
            }
            Question::StateSpace | Question::Explore => Predicate::Constant(false),
        }
    }

    /// How users call the verdict `Safe`.
    pub fn safe_word(&self) -> &'static str {
        match &self.question {
            Question::Exists(_) | Question::Deadlock => "unreachable",
            Question::Always(_) | Question::OneSafe => "holds",
            Question::StateSpace | Question::Explore => "explored",
        }
    }

    /// How users call the verdict `Unsafe`.
    pub fn unsafe_word(&self) -> &'static str {
        match &self.question {
            Question::Exists(_) | Question::Deadlock => "reachable",
            Question::Always(_) | Question::OneSafe => "violated",
            Question::StateSpace | Question::Explore => "violated",
        }
    }
}

impl fmt::Display for PetriProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::petri::NetBuilder;

    #[test]
    fn questions_have_texts_words_and_targets() {
        let mut builder = NetBuilder::new("n");
        let p = builder.place("p", 2);
        let net = builder.build().unwrap();
        let some = Predicate::place(p, Relation::AtLeast, 2);
        let check = |question, text: &str, words: [&str; 2], reached: bool| {
            let property = PetriProperty::new(&net, question);
            assert_eq!(property.to_string(), text);
            assert_eq!([property.safe_word(), property.unsafe_word()], words);
            assert_eq!(property.target(&net).holds(&net, &net.initial_marking()), reached);
        };
        check(Question::Exists(some.clone()), "EF p >= 2", ["unreachable", "reachable"], true);
        check(Question::Always(some), "AG p >= 2", ["holds", "violated"], false);
        check(Question::Deadlock, "deadlock", ["unreachable", "reachable"], true);
        check(Question::OneSafe, "one-safe", ["holds", "violated"], true);
        check(Question::StateSpace, "state-space", ["explored", "violated"], false);
        check(Question::Explore, "explore", ["explored", "violated"], false);
    }
}
