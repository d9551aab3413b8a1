//! Models on standard input: `thetis check - --language c`.
//!
//! A model is read more than once: by this process, by the workers of a portfolio, by the compiler. So standard input
//! is kept in a file while the command runs. The name of the file identifies it as standard input, and messages show it
//! as [`SHOWN`] in every process.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use tempfile::TempDir;
use thetis_base::Run;

use crate::args::QuestionArgs;
use crate::failure::{Failure, cause};
use crate::protect;

/// The name of standard input on the command line.
const DASH: &str = "-";

/// The name of standard input in messages and reports.
pub(crate) const SHOWN: &str = "<stdin>";

/// The largest model that is accepted.
const MAX_BYTES: usize = 1 << 30;

/// How long to wait for input before looking at the limits.
const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

/// The folder that is removed when the program ends at once.
static HELD: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Keeps the contents of standard input.
pub(crate) struct Held {
    _folder: Option<TempDir>,
}

/// Reads standard input if it is one of the files of a question, and replaces it by the file with its contents.
pub(crate) fn hold(question: &mut QuestionArgs, run: &Run) -> Result<Held, Failure> {
    let language = question.language.take();
    let is_dash = |file: &&mut PathBuf| file.as_os_str() == DASH;
    let mut files: Vec<&mut PathBuf> = question.files.iter_mut().filter(is_dash).collect();
    let file = match (files.as_mut_slice(), &language) {
        ([], None) => return Ok(Held { _folder: None }),
        ([], Some(_)) => {
            return Err(Failure::usage("`--language` is for standard input, which is the file `-`"));
        }
        ([file], Some(_)) => file,
        ([_], None) => {
            return Err(Failure::usage(
                "standard input needs `--language`, for example `--language c`; a file called `-` is `./-`",
            ));
        }
        _ => return Err(Failure::usage("standard input can be read only once")),
    };
    // It may be a file that the shell has opened.
    protect::reading_at(Path::new("/dev/stdin"))?;
    let bytes = contents(run)?;
    let folder = tempfile::Builder::new().prefix("thetis-").tempdir().map_err(Failure::internal)?;
    let path = folder.path().join(format!("{SHOWN}.{}", language.unwrap_or_default()));
    std::fs::write(&path, bytes).map_err(Failure::internal)?;
    **file = path;
    *HELD.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder.path().to_path_buf());
    Ok(Held { _folder: Some(folder) })
}

/// Everything on standard input. It may come slowly, or never end.
fn contents(run: &Run) -> Result<Vec<u8>, Failure> {
    let failed = |error: Errno| {
        let words = if error == Errno::ISDIR { "is a directory".into() } else { cause(&error.into()) };
        Failure::input(format!("{SHOWN}: {words}"))
    };
    let (input, mut bytes, mut part) = (std::io::stdin(), Vec::new(), vec![0; 64 << 10]);
    loop {
        run.checkpoint().map_err(Failure::stopped)?;
        match poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&PATIENCE)) {
            Ok(0) | Err(Errno::INTR) => continue,
            other => other.map_err(failed)?,
        };
        match read(&input, &mut part) {
            Ok(0) => return Ok(bytes),
            Ok(length) => bytes.extend_from_slice(&part[..length]),
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => return Err(failed(error)),
        }
        if bytes.len() > MAX_BYTES {
            return Err(Failure::input(format!("{SHOWN}: is larger than {} GiB", MAX_BYTES >> 30)));
        }
    }
}

/// Removes what is kept, when the program has to end at once.
pub(crate) fn remove() {
    if let Ok(mut held) = HELD.try_lock()
        && let Some(folder) = held.take()
    {
        // It is gone already if the command has just ended.
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Whether a file holds standard input.
pub(crate) fn is_held(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy());
    name.is_some_and(|name| name.strip_prefix(SHOWN).is_some_and(|rest| rest.starts_with('.')))
}

/// The name of a file in reports.
pub(crate) fn name_of(path: &Path) -> Cow<'_, str> {
    if is_held(path) { SHOWN.into() } else { path.to_string_lossy() }
}
