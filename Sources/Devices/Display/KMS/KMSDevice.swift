// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// What a graphics card can be asked: `AtomicCard` asks the kernel.
/// - Thread: any, but events are taken by one.
protocol KMSDevice: AnyObject, Sendable {
    /// For messages: its path.
    var name: String { get }
    /// CRTCs, in the kernel's order.
    var crtcs: [UInt32] { get }
    var planes: [KMSPlane] { get }

    /// Every connector.
    /// - Parameter probes: takes tens of ms for each; else what the kernel knows of them.
    func readConnectors(probes: Bool) throws(DisplayError) -> [KMSConnector]

    func values(of object: UInt32) -> [KMSProperty: UInt64]

    /// Black, of 32 bits a pixel, to be shown and written by the processor; with opacity where a plane takes that.
    func makeCanvasFramebuffer(_ size: PixelSize) throws(DisplayError) -> CanvasFramebuffer

    /// Black, to be shown by a plane that takes the format.
    /// - Parameter size: even both assignment.
    func makeVideoFramebuffer(_ format: VideoFrame.PixelFormat, _ size: PixelSize) throws(DisplayError)
        -> VideoFramebuffer

    /// To be shown from where it lies.
    func importFramebuffer(_ picture: SharedPicture) throws(DisplayError) -> ImportedFramebuffer

    /// What `KMSProperty.mode` takes.
    func makeBlob(_ octets: [UInt8]) throws(DisplayError) -> UInt32
    func readBlob(_ blob: UInt32) -> [UInt8]
    /// A CRTC that was set to it keeps it.
    func destroyBlob(_ blob: UInt32)

    /// - Parameter token: comes back with the event of `KMSCommit.pageFlipEvent`.
    /// - Throws: EBUSY for one that is to return at once, while the one before is not done.
    func commit(_ settings: [KMSSetting], _ options: KMSCommit, token: UInt64) throws(DisplayError)

    /// The next event that is there within `patience`; nil: none.
    func takeFlip(timeout: Nanoseconds) throws(DisplayError) -> PageFlip?

    /// - Returns: whether commits are ours to make.
    func becomeMaster() -> Bool
    func dropMaster()
}

/// How a commit is made.
struct KMSCommit: OptionSet, Sendable {
    let rawValue: Int
    /// Nothing changes: would it be accepted?
    static let testOnly = KMSCommit(rawValue: 1)
    /// The picture may go for a while.
    static let allowModeset = KMSCommit(rawValue: 2)
    /// Returns at once, and there is an event when it is done: one of each CRTC that it concerns.
    static let pageFlipEvent = KMSCommit(rawValue: 4)
    /// Returns at once.
    static let nonblocking = KMSCommit(rawValue: 8)
}

/// A commit is done: its picture is visible from then on.
struct PageFlip: Hashable, Sendable {
    let token: UInt64
    /// Whose; 0: the kernel does not say.
    var crtc: UInt32 = 0
    let visible: Monotonic
    /// An errno: it came to nothing after all.
    var refusal: Int32?
}
