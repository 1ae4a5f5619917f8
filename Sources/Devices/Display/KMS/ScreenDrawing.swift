// SPDX-License-Identifier: Apache-2.0

/// What draws a stage.
public enum ScreenDrawing: Sendable {
    /// The card's GPU if it has a usable one; otherwise the processor, because Mesa's software renderer would be
    /// slower.
    case automatic
    /// OpenGL ES, also by a software renderer.
    case gles
    case processor

    /// - Parameter make: returns nil if the processor is to draw.
    /// - Returns: nil if the processor draws; a failure if a GPU was required, or is there and fails.
    func result(
        _ make: () throws(DisplayError) -> GLESCompositor?
    ) -> Result<GLESCompositor, DisplayError>? {
        if case .processor = self { return nil }
        do throws(DisplayError) {
            return try make().map { .success($0) }
        } catch {
            if case .automatic = self, case .missing = error { return nil }
            return .failure(error)
        }
    }
}
