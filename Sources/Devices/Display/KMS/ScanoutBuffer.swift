// SPDX-License-Identifier: Apache-2.0
import Scene

/// What a plane can show: memory that the processor writes (`KMSBuffer`), or that a GPU draws into.
protocol ScanoutBuffer: AnyObject {
    var size: PixelSize { get }
    /// What the card knows it by.
    var frame: UInt32 { get }
}
