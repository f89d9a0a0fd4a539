//! Where everything of the environment is.
//!
//! All of it lies in `.lab/` in the checkout, so that removing that folder removes everything, and
//! nothing is written to the user's home.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// A checkout of the workbook, and the places in its `.lab/` folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lab {
    root: PathBuf,
    library: Library,
}

/// With which features the library is compiled for a kernel. What is compiled so has a kernelspec,
/// a template and first cells of its own, so that notebooks which do without data frames wait for
/// none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// The default ones.
    Plain,
    /// With data frames, for which polars is compiled.
    Frames,
}

impl Lab {
    /// The checkout that this program was built from.
    ///
    /// # Errors
    ///
    /// If that checkout has been moved or removed since.
    pub fn here() -> Result<Lab> {
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = built_in.parent().unwrap_or(built_in);
        let root = root.canonicalize().with_context(|| {
            format!(
                "the checkout that `cargo lab` was built in, {}, is gone: run `cargo lab` in its \
                 new place",
                root.display()
            )
        })?;
        Ok(Lab::at(root))
    }

    /// The checkout at `root`, which must be an absolute path without symbolic links, because cargo
    /// compares such paths to tell whether a compiled library is still good.
    #[must_use]
    pub fn at(root: PathBuf) -> Lab {
        Lab { root, library: Library::Plain }
    }

    /// The same checkout, for kernels with this library.
    #[must_use]
    pub fn with(&self, library: Library) -> Lab {
        Lab { root: self.root.clone(), library }
    }

    /// The library of its kernels.
    #[must_use]
    pub fn library(&self) -> Library {
        self.library
    }

    /// A name in which the library is told.
    #[must_use]
    pub fn named(&self, plain: &'static str, frames: &'static str) -> &'static str {
        match self.library {
            Library::Plain => plain,
            Library::Frames => frames,
        }
    }

    /// The checkout itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the environment.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.root.join(".lab")
    }

    /// The notebooks.
    #[must_use]
    pub fn notebooks(&self) -> PathBuf {
        self.root.join("notebooks")
    }

    /// Which Python packages the environment is made of.
    #[must_use]
    pub fn requirements(&self) -> PathBuf {
        self.root.join("lab/requirements.txt")
    }

    /// Held while the environment is being set up: two set-ups at once would undo each other.
    #[must_use]
    pub fn setup_lock(&self) -> PathBuf {
        self.folder().join("setup.lock")
    }

    /// One marker for each step that is done.
    #[must_use]
    pub fn steps(&self) -> PathBuf {
        self.folder().join("steps")
    }

    /// Which exercises have been solved.
    #[must_use]
    pub fn progress(&self) -> PathBuf {
        self.folder().join("progress")
    }

    /// The Python virtual environment with JupyterLab.
    #[must_use]
    pub fn python(&self) -> PathBuf {
        self.folder().join("python")
    }

    /// The interpreter of the virtual environment.
    #[must_use]
    pub fn python_program(&self) -> PathBuf {
        self.python().join("bin/python")
    }

    /// The kernelspec. It lies in the virtual environment, where every Jupyter program of that
    /// environment finds it by itself.
    #[must_use]
    pub fn kernelspec(&self) -> PathBuf {
        self.python().join("share/jupyter/kernels").join(self.named("fencing", "fencing-frames"))
    }

    /// What Jupyter would otherwise keep in the user's home: settings, trust, running kernels.
    #[must_use]
    pub fn jupyter(&self) -> PathBuf {
        self.folder().join("jupyter")
    }

    /// The scripts that stand before cargo and rustup in a kernel.
    #[must_use]
    pub fn tools(&self) -> PathBuf {
        self.folder().join("tools")
    }

    /// The cells that every kernel begins with.
    #[must_use]
    pub fn first_cells(&self) -> PathBuf {
        self.folder().join("first-cells")
    }

    /// The same, and one more that loads the library.
    #[must_use]
    pub fn first_cells_with_library(&self) -> PathBuf {
        self.folder().join(self.named("first-cells-with-library", "first-cells-with-frames"))
    }

    /// A standard library with nothing in it: see [`crate::environment::with_library`].
    #[must_use]
    pub fn empty_library(&self) -> PathBuf {
        self.folder().join("empty-library")
    }

    /// The folder that a new kernel starts from, with the library compiled.
    #[must_use]
    pub fn template(&self) -> PathBuf {
        self.folder().join(self.named("template", "template-frames"))
    }

    /// Held, shared, while a kernel copies the template, and exclusively while it is exchanged.
    #[must_use]
    pub fn template_lock(&self) -> PathBuf {
        self.folder().join("template.lock")
    }

    /// One folder for each running kernel.
    #[must_use]
    pub fn kernels(&self) -> PathBuf {
        self.folder().join("kernels")
    }

    /// Held while kernel folders are claimed and swept.
    #[must_use]
    pub fn kernels_lock(&self) -> PathBuf {
        self.folder().join("kernels.lock")
    }
}
