//! Output files: they are checked before the run, appear complete or not at all, and replace no input.

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use tempfile::NamedTempFile;

use crate::failure::{Failure, cause};
use crate::input::shown;
use crate::{protect, terminal};

/// The temporary file that is being written.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Rejects the command line if one of `paths` cannot be written, or is an input, which may turn out later.
pub(crate) fn check<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    for path in paths {
        check_writable(path)?;
        protect::announce(path)?;
    }
    Ok(())
}

/// Rejects the command line if the file at `path`, which may be an input, cannot be written.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    probe(path)
        .map_err(|error| Failure::usage(format!("{} cannot be written: {}", shown(path), cause(&error))))
}

/// Rejects the command line if files cannot be written to the folder at `path`, which is made if it is not there.
pub(crate) fn check_folder(path: &Path) -> Result<(), Failure> {
    let failed =
        |error: io::Error| Failure::usage(format!("{} cannot be written: {}", shown(path), cause(&error)));
    std::fs::create_dir_all(path).map_err(failed)?;
    NamedTempFile::new_in(path).map(drop).map_err(failed)
}

/// Writes `text` to the file at `path`. If that fails, an existing file is unchanged, and a warning is printed.
pub(crate) fn write(path: &Path, text: &str) {
    write_with(path, |out| out.write_all(text.as_bytes()));
}

/// The same for contents that are written piece by piece.
pub(crate) fn write_with(path: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    if let Err(error) = try_write_with(path, contents) {
        warn(path, &error);
    }
}

/// Says that an output is missing. The verdict stands.
pub(crate) fn warn(path: &Path, error: &io::Error) {
    terminal::show(&format!("thetis: warning: {} was not written: {}\n", shown(path), cause(error)));
}

/// Removes the file that a command was writing when it has to end at once.
pub(crate) fn remove_unfinished() {
    if let Ok(mut unfinished) = UNFINISHED.try_lock()
        && let Some(path) = unfinished.take()
    {
        // It may just have been renamed.
        let _ = std::fs::remove_file(path);
    }
}

fn probe(path: &Path) -> io::Result<()> {
    match Place::of(path)? {
        // Its reader would see an end; whether there is one counts when it is written.
        Place::Pipe => Ok(()),
        Place::Device => File::options().append(true).open(path).map(drop),
        Place::File { target, .. } => {
            if target.exists() {
                File::options().append(true).open(&target)?;
            }
            temporary(&target, None).map(drop)
        }
    }
}

/// Writes `content` to `path`, or says why that is not possible.
pub(crate) fn try_write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    try_write_with(path, |out| out.write_all(content.as_ref()))
}

fn try_write_with(path: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    protect::check_writing(path)?;
    replace_with(path, contents)
}

/// Writes a file that may be an input: the command was asked to change it.
pub(crate) fn replace(path: &Path, text: &str) {
    if let Err(error) = replace_with(path, |out| out.write_all(text.as_bytes())) {
        warn(path, &error);
    }
}

fn replace_with(path: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let (target, permissions) = match Place::of(path)? {
        Place::Pipe => return buffered(&open_pipe(path)?, contents),
        Place::Device => return buffered(&File::options().append(true).open(path)?, contents),
        Place::File { target, permissions } => (target, permissions),
    };
    let file = temporary(&target, permissions)?;
    set_unfinished(Some(file.path().to_path_buf()));
    let written =
        buffered(file.as_file(), contents).and_then(|()| file.persist(&target).map_err(|error| error.error));
    set_unfinished(None);
    written.map(drop)
}

fn buffered(file: &File, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    contents(&mut out)?;
    out.flush()
}

/// Opens a pipe without waiting for a reader, who may never come.
fn open_pipe(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK.bits() as i32;
    let file = match File::options().append(true).custom_flags(flags).open(path) {
        Err(error) if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => {
            return Err(io::Error::other("nobody reads this pipe"));
        }
        other => other?,
    };
    // A reader who is there may be slow.
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

/// Where a path leads.
enum Place {
    /// A pipe, which is written as it is.
    Pipe,
    /// A device, which is written as it is.
    Device,
    /// A file, after symbolic links were followed; with the permissions that it has if it exists.
    File { target: PathBuf, permissions: Option<Permissions> },
}

impl Place {
    fn of(path: &Path) -> io::Result<Place> {
        let metadata = match std::fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Place::File { target: path.to_path_buf(), permissions: None });
            }
            Err(error) => return Err(error),
        };
        let kind = metadata.file_type();
        if kind.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if kind.is_fifo() {
            return Ok(Place::Pipe);
        }
        if kind.is_char_device() {
            return Ok(Place::Device);
        }
        Ok(Place::File { target: path.canonicalize()?, permissions: Some(metadata.permissions()) })
    }
}

/// A new file in the folder of `target`, so that it can take its name.
fn temporary(target: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let permissions = permissions.unwrap_or_else(|| Permissions::from_mode(0o666));
    tempfile::Builder::new().prefix(".thetis-").permissions(permissions).tempfile_in(folder)
}

fn set_unfinished(path: Option<PathBuf>) {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = path;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        for text in ["first", "second"] {
            try_write(&path, text).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        try_write(&link, "third").unwrap();
        assert!(link.is_symlink() && std::fs::read_to_string(&path).unwrap() == "third");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn contents_that_break_off_leave_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let broken = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        };
        assert!(try_write_with(&path, broken).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        try_write(&path, "first").unwrap();
        assert!(try_write_with(&path, broken).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "first");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check([&folder.path().join("new")]).is_ok());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(check([&folder.path().to_path_buf()]).is_err());
        assert!(check([&folder.path().join("none/new")]).is_err());
        assert!(check([&PathBuf::from("/dev/null")]).is_ok());
    }
}
