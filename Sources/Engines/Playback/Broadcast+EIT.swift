// SPDX-License-Identifier: Apache-2.0
import TransportStream
import Venue

extension NowNext {
    /// - Parameter language: the preferred language of the texts, ISO 639-2; nil takes the first.
    init(_ events: PresentFollowing, language: String?) {
        self.init(
            now: events.now.map { Broadcast($0, language: language) },
            next: events.next.map { Broadcast($0, language: language) })
    }
}

extension Broadcast {
    fileprivate init(_ event: EIT.Event, language: String?) {
        let text = event.text(in: language)
        let ages = event.ratings.filter { (1...15).contains($0.value) }.map { Int($0.value) + 3 }
        self.init(
            title: text?.name ?? "",
            text: [text?.summary, text?.details].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " "),
            language: text?.language, start: event.start, duration: event.duration, minimumAge: ages.max())
    }
}
