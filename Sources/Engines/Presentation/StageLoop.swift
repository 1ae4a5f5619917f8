// SPDX-License-Identifier: Apache-2.0
import Buffers

/// A render loop on an output of whatever type, which it owns. The output is closed when the loop is released.
/// - Thread: the render thread.
protocol StageLoop: AnyObject {
    /// Shows the stage until `isEnding`, which is asked each time that the thread wakes.
    func run(wakeup: Wakeup, until isEnding: () -> Bool)
}
