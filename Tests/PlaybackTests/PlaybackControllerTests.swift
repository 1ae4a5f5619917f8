// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

@testable import Playback

private func channel(_ name: String) -> Channel {
    Channel(
        id: .init(name), name: name,
        transport: Transport(address: "239.1.1.1", port: 5_000, encapsulation: .rtp(payloadType: 33)))
}

/// SVM-81, 82: open first, play at the first presented picture, once.
@Test func tuneOpensThenPlays() {
    var controller = PlaybackController()
    let one = channel("One")
    #expect(
        controller.handle(.tune(one)) == [.reportState(.open, channelName: "One"), .openSession(1, one)])
    #expect(controller.isOpen && !controller.isPlaying)
    #expect(controller.handle(.firstPicturePresented(session: 1)) == [.reportState(.play, channelName: "One")])
    #expect(controller.handle(.firstPicturePresented(session: 1)).isEmpty)
    #expect(controller.isPlaying)
}

/// SVM-56: another channel closes the old one with the full sequence; the same one is a no-op.
@Test func retuneClosesTheOldFirst() {
    var controller = PlaybackController()
    let two = channel("Two")
    _ = controller.handle(.tune(channel("One")))
    #expect(controller.handle(.tune(channel("One"))).isEmpty)
    #expect(
        controller.handle(.tune(two)) == [
            .reportState(.stop, channelName: "One"), .closeSession(1), .reportState(.close, channelName: "One"),
            .reportState(.open, channelName: "Two"), .openSession(2, two),
        ])
    // A picture of the closed session that was on its way says nothing of the new one.
    #expect(controller.handle(.firstPicturePresented(session: 1)).isEmpty)
}

/// SVM-85, 86: stop, then close, which is the last of a session.
@Test func stopClosesAndShowsTheSlate() {
    var controller = PlaybackController()
    _ = controller.handle(.tune(channel("One")))
    #expect(
        controller.handle(.stop) == [
            .reportState(.stop, channelName: "One"), .closeSession(1), .reportState(.close, channelName: "One"),
            .showSlate,
        ])
    #expect(controller.handle(.stop).isEmpty)
    #expect(!controller.isOpen)
}

@Test func aWithdrawnChannelStops() {
    var controller = PlaybackController()
    _ = controller.handle(.tune(channel("One")))
    #expect(controller.handle(.channelRemoved(.init("Two"))).isEmpty)
    #expect(controller.handle(.channelRemoved(.init("One"))).first == .reportChannelInvalid(channelName: "One"))
    #expect(!controller.isOpen)
}

@Test func aFailedOpenClosesAgain() {
    var controller = PlaybackController()
    _ = controller.handle(.tune(channel("One")))
    #expect(controller.handle(.openFailed(session: 1)).last == .showSlate)
    #expect(!controller.isOpen)
}
