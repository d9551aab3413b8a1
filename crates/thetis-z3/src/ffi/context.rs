//! Contexts: the world in which Z3's terms and solvers live.
//!
//! Making a context costs 3 to 9 ms, nearly all of it page faults of two tables of 8 MiB that Z3 fills at once, so
//! all solvers of a thread share one, and the context of a thread that ends is handed to the next thread that asks.
//! Contexts are never deleted: there are as many as there were threads using Z3 at the same time, and deleting the
//! last one would only delay the end of the program by some milliseconds.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use thetis_solver::SolverError;

use super::api::{Api, RawContext};

/// A context of Z3, used by one thread.
pub(crate) struct Context {
    api: &'static Api,
    raw: RawContext,
}

/// Ends a pending query of a context, from any thread.
pub(crate) struct Interrupter {
    api: &'static Api,
    raw: RawContext,
}

// SAFETY: Z3 guards `Z3_interrupt`, the only operation of this type, by a lock of its own, and contexts live forever.
unsafe impl Send for Interrupter {}
// SAFETY: as above.
unsafe impl Sync for Interrupter {}

impl Interrupter {
    /// Asks the query that is running, if any, to end.
    pub(crate) fn interrupt(&self) {
        // SAFETY: contexts are never deleted once an interrupter can exist.
        unsafe { (self.api.interrupt)(self.raw) }
    }
}

/// A context that no handle refers to. It may go to another thread.
struct Idle(Context);

// SAFETY: nobody else refers to the context, and Z3 does not tie contexts to threads.
unsafe impl Send for Idle {}

static IDLE: Mutex<Vec<Idle>> = Mutex::new(Vec::new());

/// The context of this thread; goes back to the idle ones when the thread ends.
struct Local(RefCell<Option<Rc<Context>>>);

thread_local! {
    static LOCAL: Local = const { Local(RefCell::new(None)) };
}

impl Drop for Local {
    fn drop(&mut self) {
        // A context that a handle still refers to stays with that handle.
        if let Some(context) = self.0.take().and_then(|context| Rc::try_unwrap(context).ok()) {
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(Idle(context));
        }
    }
}

impl Context {
    /// The context of this thread.
    pub(crate) fn current() -> Result<Rc<Context>, SolverError> {
        LOCAL.with(|local| {
            let mut slot = local.0.borrow_mut();
            if let Some(context) = &*slot {
                return Ok(context.clone());
            }
            let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let context = Rc::new(idle.map_or_else(Context::new, |idle| Ok(idle.0))?);
            *slot = Some(context.clone());
            Ok(context)
        })
    }

    fn new() -> Result<Context, SolverError> {
        let api = Api::get()?;
        prepare_heap();
        // SAFETY: the configuration is made here, used once and deleted.
        let raw = unsafe {
            let config = (api.mk_config)();
            let raw = (api.mk_context_rc)(config);
            (api.del_config)(config);
            raw
        };
        if raw.0.is_null() {
            return Err(SolverError::Died("Z3 could not make a context".into()));
        }
        // SAFETY: the handler has the type that Z3 calls.
        unsafe { (api.set_error_handler)(raw, ignore_error) };
        Ok(Context { api, raw })
    }

    /// The loaded functions.
    pub(crate) fn api(&self) -> &'static Api {
        self.api
    }

    /// For the other files of the foreign module.
    pub(super) fn raw(&self) -> RawContext {
        self.raw
    }

    /// What can end a pending query of this context.
    pub(crate) fn interrupter(&self) -> Interrupter {
        Interrupter { api: self.api, raw: self.raw }
    }

    /// What Z3 prints for an SMT-LIB script.
    pub(crate) fn evaluate_script(&self, script: &str) -> Result<String, SolverError> {
        let script = c_string(script);
        // SAFETY: the context is valid, and the script is a string that ends with zero.
        let answer = unsafe { (self.api.eval_smtlib2_string)(self.raw, script.as_ptr()) };
        // SAFETY: Z3 gives a string that is valid until the next call.
        let answer = unsafe { self.text(answer) };
        self.check()?;
        Ok(answer)
    }

    /// Fails if the last call of Z3 did.
    pub(super) fn check(&self) -> Result<(), SolverError> {
        // SAFETY: the context is valid.
        let code = unsafe { (self.api.get_error_code)(self.raw) };
        if code == 0 {
            return Ok(());
        }
        // SAFETY: the context is valid and the code is the one it gave.
        let message = unsafe { (self.api.get_error_msg)(self.raw, code) };
        // SAFETY: Z3 gives a string that is valid until the next call.
        Err(SolverError::Died(unsafe { self.text(message) }))
    }

    /// A copy of a string that Z3 gave.
    ///
    /// # Safety
    /// `text` must be null or point to a string that ends with zero.
    pub(super) unsafe fn text(&self, text: *const c_char) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: the caller guarantees it.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}

/// Z3 ends the process on errors unless it is given a handler; ours leaves the error code to be looked at.
extern "C" fn ignore_error(_: RawContext, _: c_int) {}

/// Lets the heap have huge pages where Z3 will put its tables, which halves the time to make a context.
///
/// The first allocation is so large that the allocator maps it by itself, and learns from its end to keep allocations
/// up to that size in the heap. The second one therefore is in the heap, where Z3's tables follow when it has ended.
/// Where the allocator or the kernel works in another way, this does nothing and costs nothing.
fn prepare_heap() {
    const TABLES: usize = 18 << 20;
    const PAGE: usize = 1 << 12;
    drop(std::hint::black_box(Vec::<u8>::with_capacity(TABLES + TABLES / 8)));
    let mut heap = std::hint::black_box(Vec::<u8>::with_capacity(TABLES));
    let start = heap.as_mut_ptr().align_offset(PAGE);
    let spare = &mut heap.spare_capacity_mut()[start..];
    let length = spare.len() / PAGE * PAGE;
    // SAFETY: the range is ours, and the advice changes no content.
    let advice =
        unsafe { rustix::mm::madvise(spare.as_mut_ptr().cast(), length, rustix::mm::Advice::LinuxHugepage) };
    // An advice that is not taken only costs time.
    advice.unwrap_or_default();
}

/// A string for Z3; what follows a zero character is cut off.
pub(super) fn c_string(text: &str) -> CString {
    let until_zero = text.split('\0').next().unwrap_or_default();
    CString::new(until_zero).unwrap_or_default()
}
