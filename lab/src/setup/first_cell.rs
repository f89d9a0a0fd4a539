// The first cell of every kernel. It is one block, so that no name of it reaches a reader's cells.
{
    // A panic shows one clean box in its own cell, which stays there. Rust's own message goes to
    // standard error, names a place in evcxr's generated code, and shows evcxr's machinery.
    let cells_thread = std::thread::current().id();
    std::panic::set_hook(Box::new(move |panic| {
        use std::io::Write;
        // The check of an exercise catches it, and shows it in its verdict: see READERS_THREAD.
        // The threads of a proof catch it as well: see `src/proof/search.rs`.
        let thread = std::thread::current();
        if thread.name().is_some_and(|name| name == "exercise" || name.starts_with("checker-")) {
            return;
        }
        let payload = panic.payload();
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("(no message)");
        let message = message
            .strip_prefix("called `Result::unwrap()` on an `Err` value: ")
            .unwrap_or(message);
        // Another thread has panicked, has shown its own box, and was waited for with `unwrap`.
        if message == "Any { .. }" {
            return;
        }
        let title = if std::thread::current().id() == cells_thread {
            "This cell panicked:"
        } else {
            "A thread of this cell panicked:"
        };
        let escaped = message.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let text = format!(
            "EVCXR_BEGIN_CONTENT text/html\n\
             <div data-panic style=\"border-left:4px solid #d55e00;padding:.4em .8em;\
             background:rgba(213,94,0,.12);white-space:pre-wrap\"><strong>{title}</strong> \
             {escaped}</div>\nEVCXR_END_CONTENT\n\
             EVCXR_BEGIN_CONTENT text/plain\n{title} {message}\nEVCXR_END_CONTENT\n"
        );
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(text.as_bytes());
        let _ = out.flush();
    }));
    // The versions that the library was compiled with: see LIBRARY_LOCK in template.rs.
    if let Ok(folder) = std::env::var("EVCXR_TMPDIR") {
        let folder = std::path::Path::new(&folder);
        let _ = std::fs::copy(folder.join("library.lock"), folder.join("Cargo.lock"));
    }
};
// The first `?` makes evcxr compile a cell anew, and show the cell's result as plain text, because
// it takes the failure for one to show the picture. So the first one is here.
Ok::<(), String>(())?;
