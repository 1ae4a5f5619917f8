// SPDX-License-Identifier: Apache-2.0
import Display
import Scene

/// The output on which the stage is shown.
public enum OutputKind: Hashable, Sendable {
    case headless
    /// Drawn by OpenGL ES, or in software if that fails, which is reported as `drawFailed`.
    case headlessGLES
    /// A screen of the card, or memory while no screen is connected. If OpenGL ES should draw and fails, the stage is
    /// drawn in software, which is reported as `drawFailed`.
    /// - planes: whether a video may have a KMS plane of its own.
    /// - isMirrored: whether every screen of the card shows the stage; it is then drawn by the processor.
    case kms(
        mode: ModePin? = nil, connector: String? = nil, drawing: ScreenDrawing = .automatic, planes: Bool = true,
        isMirrored: Bool = false)
    case null

    /// Whether it may hold a card or a context of OpenGL ES. The render thread has one of such outputs at a time.
    var usesDevice: Bool {
        switch self {
        case .headless, .null: false
        case .headlessGLES, .kms: true
        }
    }
}
