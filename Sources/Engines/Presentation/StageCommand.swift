// SPDX-License-Identifier: Apache-2.0
import Media

/// What the control plane asks of the stage; carried out by the render thread between two pictures.
public enum StageCommand: Sendable {
    /// Takes pictures from this queue from now on. What is on the screen stays until the first of them.
    case bind(FrameQueue)
    /// Takes no more pictures; the last one stays.
    case unbind(session: Int)
    case showSlate(Slate)
    case takeScreenshot(Screenshot)
}
