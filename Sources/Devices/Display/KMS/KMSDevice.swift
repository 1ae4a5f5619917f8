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
    var controllers: [UInt32] { get }
    var planes: [KMSPlane] { get }

    /// Every connector.
    /// - Parameter asksDisplays: takes tens of ms for each; else what the kernel knows of them.
    func readConnectors(asksDisplays: Bool) throws(DisplayError) -> [KMSConnector]

    func values(of object: UInt32) -> [KMSProperty: UInt64]

    /// Black, of 32 bits a pixel, to be shown and written by the processor; with opacity where a plane takes that.
    func makeBuffer(_ size: PixelSize) throws(DisplayError) -> KMSBuffer

    /// Black, to be shown by a plane that takes the format.
    /// - Parameter size: even both ways.
    func makePicture(_ format: VideoFrame.PixelFormat, _ size: PixelSize) throws(DisplayError) -> KMSPicture

    /// To be shown from where it lies.
    func importPicture(_ picture: SharedPicture) throws(DisplayError) -> KMSImport

    /// What `KMSProperty.mode` takes.
    func makeBlob(_ octets: [UInt8]) throws(DisplayError) -> UInt32
    func readBlob(_ blob: UInt32) -> [UInt8]
    /// A controller that was set to it keeps it.
    func destroyBlob(_ blob: UInt32)

    /// - Parameter token: comes back with the event of `KMSCommit.withEvent`.
    /// - Throws: EBUSY for one that is to return at once, while the one before is not done.
    func commit(_ settings: [KMSSetting], _ options: KMSCommit, token: UInt64) throws(DisplayError)

    /// The next event that is there within `patience`; nil: none.
    func takeFlip(within patience: Nanoseconds) throws(DisplayError) -> KMSFlip?

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
    static let mayBlank = KMSCommit(rawValue: 2)
    /// Returns at once, and there is an event when it is done: one of each controller that it concerns.
    static let withEvent = KMSCommit(rawValue: 4)
    /// Returns at once.
    static let atOnce = KMSCommit(rawValue: 8)
}

/// A commit is done: its picture is visible from then on.
struct KMSFlip: Hashable, Sendable {
    let token: UInt64
    /// Whose; 0: the kernel does not say.
    var controller: UInt32 = 0
    let visible: Monotonic
    /// An errno: it came to nothing after all.
    var refusal: Int32?
}
