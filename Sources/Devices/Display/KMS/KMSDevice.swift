// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// A graphics card. `AtomicCard` asks the kernel; tests use a fake.
/// - Thread: any; page flip events are taken by one thread.
protocol KMSDevice: AnyObject, Sendable {
    /// The card's path, for messages.
    var name: String { get }
    /// Ids of the CRTCs, in the kernel's order.
    var crtcs: [UInt32] { get }
    var planes: [KMSPlane] { get }

    /// Reads every connector.
    /// - Parameter probes: true reads the displays' EDIDs again, which takes tens of ms each; false returns what the
    ///   kernel knows.
    func readConnectors(probes: Bool) throws(DisplayError) -> [KMSConnector]

    /// Values of the object's properties that `KMSProperty` names.
    func values(of object: UInt32) -> [KMSProperty: UInt64]

    /// Allocates memory that the processor can write.
    func makeDumbBuffer(_ size: PixelSize, bitsPerPixel: UInt32) throws(DisplayError) -> DumbBuffer
    /// Called by `DumbBuffer` when it is destroyed.
    func destroyDumbBuffer(_ handle: UInt32, _ memory: UnsafeMutableRawBufferPointer)

    /// Makes a framebuffer of memory for which the card has handles.
    /// - Parameters:
    ///   - picture: the layout; its descriptors are not used.
    ///   - handles: one handle for each plane.
    func addFramebuffer(_ picture: SharedPicture, handles: [UInt32]) throws(DisplayError) -> Framebuffer
    /// Called by `Framebuffer` when it is destroyed.
    func removeFramebuffer(_ id: UInt32)

    /// Makes a framebuffer of another device's memory, which is shown without a copy.
    func importFramebuffer(_ picture: SharedPicture) throws(DisplayError) -> ImportedFramebuffer

    /// Makes a property blob, to be owned by a `PropertyBlob`.
    func makeBlob(_ octets: [UInt8]) throws(DisplayError) -> UInt32
    func readBlob(_ blob: UInt32) -> [UInt8]
    func destroyBlob(_ blob: UInt32)

    /// Sets all the properties, or none.
    /// - Parameter token: comes back with the page flip events of `KMSCommit.pageFlipEvent`.
    /// - Throws: EBUSY for a nonblocking commit while the previous one is not done.
    func commit(_ settings: [KMSSetting], _ options: KMSCommit, token: UInt64) throws(DisplayError)

    /// - Returns: the next page flip event; nil if none comes within `timeout`.
    func takeFlip(timeout: Nanoseconds) throws(DisplayError) -> PageFlip?

    /// Whether this process now is the card's DRM master, which alone may commit.
    func becomeMaster() -> Bool
    func dropMaster()
}

/// The flags of a commit.
struct KMSCommit: OptionSet, Sendable {
    let rawValue: Int
    /// Only checks whether the card would accept the commit.
    static let testOnly = KMSCommit(rawValue: 1)
    /// The commit may set modes, and the screen may go dark for a while.
    static let allowModeset = KMSCommit(rawValue: 2)
    /// Returns at once; a page flip event follows for each CRTC that the commit concerns.
    static let pageFlipEvent = KMSCommit(rawValue: 4)
    /// Returns at once, without an event.
    static let nonblocking = KMSCommit(rawValue: 8)
}

/// A page flip event: a commit is done and its picture is visible.
struct PageFlip: Hashable, Sendable {
    let token: UInt64
    /// The CRTC's id; 0 if the kernel does not report it.
    var crtc: UInt32 = 0
    /// When the picture became visible.
    let visible: Monotonic
    /// The errno of a commit that failed after it was accepted; nil for one that succeeded.
    var refusal: Int32?
}
