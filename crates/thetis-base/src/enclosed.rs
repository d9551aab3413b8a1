//! How computations that have no access to a run stop when their run must stop.
//!
//! Some work is done far below the loops that call [`Run::checkpoint`]: the product of two numbers with a million digits, the
//! lexer of a file of a gigabyte, the construction of a term. Passing a run down to all of them, and a `Result` back up, would
//! clutter all this code. Instead, [`Run::enclose`] remembers a run for the current thread while some work is done. Code deep
//! inside calls [`tick`] or [`heed`]; if the innermost enclosing run must stop, they unwind to the place where it was enclosed,
//! which then returns the [`Stop`].
//!
//! No value that was being computed leaves an enclosure that was unwound, except through data that the work shares with its
//! surroundings. Hence [`heed`] may only be called while all shared data are valid. Threads that a computation starts have no
//! enclosing run. Outside of all enclosures, [`tick`] and [`heed`] do nothing.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::{Run, Stop};

thread_local! {
    /// The runs that enclose what this thread does, the innermost one last.
    static ENCLOSING: RefCell<Vec<Run>> = const { RefCell::new(Vec::new()) };
    static TICKS: Cell<u32> = const { Cell::new(0) };
}

/// Every how many calls of [`tick`] the limits are checked: reading the clocks takes about as long as this many short
/// steps.
const TICKS_PER_LOOK: u32 = 1024;

/// What unwinds.
struct Unwinding(Stop);

impl Run {
    /// Does `work`, and ends it when this run must stop and the work calls [`tick`] or [`heed`].
    pub fn enclose<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stop> {
        let _enclosure = Enclosure::new(self);
        catch_unwind(AssertUnwindSafe(work)).or_else(|payload| match stop_of(payload) {
            Ok(stop) => Err(stop),
            Err(payload) => resume_unwind(payload),
        })
    }

    /// Lets this run enclose whatever the current thread does from now on. The code that catches the unwinding calls
    /// [`stop_of`].
    pub fn enclose_thread(&self) {
        ENCLOSING.with_borrow_mut(|runs| runs.push(self.clone()));
    }
}

/// Takes a run off the thread's list, however the work ends.
struct Enclosure;

impl Enclosure {
    fn new(run: &Run) -> Enclosure {
        run.enclose_thread();
        Enclosure
    }
}

impl Drop for Enclosure {
    fn drop(&mut self) {
        ENCLOSING.with_borrow_mut(Vec::pop);
    }
}

/// One of many short steps. Unwinds if the enclosing run must stop; most calls do not look.
#[inline]
pub fn tick() {
    let ticks = TICKS.get().wrapping_add(1);
    TICKS.set(ticks);
    if ticks.is_multiple_of(TICKS_PER_LOOK) {
        heed();
    }
}

/// Unwinds if the enclosing run must stop. Nothing can be stopped twice: while a thread unwinds, this does nothing.
#[cold]
pub fn heed() {
    let stop = ENCLOSING.with_borrow(|runs| runs.last().and_then(|run| run.checkpoint().err()));
    if let Some(stop) = stop
        && !std::thread::panicking()
    {
        resume_unwind(Box::new(Unwinding(stop)));
    }
}

/// Why a run stopped, if that is what the `payload` of a panic says; otherwise the payload.
pub fn stop_of(payload: Box<dyn Any + Send>) -> Result<Stop, Box<dyn Any + Send>> {
    payload.downcast::<Unwinding>().map(|unwinding| unwinding.0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Budget;

    fn over() -> Run {
        Run::new(Budget { wall: Some(Duration::ZERO), ..Budget::default() })
    }

    #[test]
    fn enclosed_work_ends_with_its_run() {
        let endless = || -> u32 {
            loop {
                tick();
            }
        };
        assert!(matches!(over().enclose(endless), Err(Stop::OutOfTime)));
        let cancelled = Run::unlimited();
        cancelled.cancel().request();
        assert!(matches!(cancelled.enclose(endless), Err(Stop::Cancelled)));
        assert!(matches!(Run::unlimited().enclose(|| 7), Ok(7)));
    }

    #[test]
    fn only_the_innermost_run_counts_and_it_is_forgotten_afterwards() {
        let inner = over().enclose(|| Run::unlimited().enclose(heed));
        assert!(matches!(inner, Ok(Ok(()))));
        let outer = Run::unlimited().enclose(|| {
            let inner = over().enclose(heed);
            heed();
            inner
        });
        assert!(matches!(outer, Ok(Err(Stop::OutOfTime))));
        heed();
    }

    #[test]
    fn other_panics_go_on() {
        let caught = catch_unwind(|| Run::unlimited().enclose(|| resume_unwind(Box::new("a bug"))));
        let payload = caught.map(|_| ()).expect_err("the panic should go on");
        assert_eq!(stop_of(payload).expect_err("it is no stop").downcast_ref(), Some(&"a bug"));
    }

    #[test]
    fn what_is_dropped_while_unwinding_may_tick() {
        struct Ticking;
        impl Drop for Ticking {
            fn drop(&mut self) {
                heed();
            }
        }
        let stopped = over().enclose(|| {
            let _ticking = Ticking;
            heed();
        });
        assert!(matches!(stopped, Err(Stop::OutOfTime)));
    }
}
