//! A sign of life on the terminal, for what takes over a second.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use indicatif::ProgressBar;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Does `work`, with a spinner on a terminal once it takes long.
pub(super) fn with_spinner<T>(on_a_terminal: bool, work: impl FnOnce() -> T) -> T {
    if !on_a_terminal {
        return work();
    }
    let (done, waiting) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if waiting.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let spinner = ProgressBar::new_spinner().with_message("comparing");
            spinner.enable_steady_tick(Duration::from_millis(100));
            // The sender is dropped when the work is done.
            let _ = waiting.recv();
            spinner.finish_and_clear();
        });
        let result = work();
        drop(done);
        result
    })
}
