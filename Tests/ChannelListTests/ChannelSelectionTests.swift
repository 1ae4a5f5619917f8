// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

@testable import ChannelList

@Suite struct ChannelSelectionTests {
    private func ids(_ numbers: some Sequence<Int>) -> [Channel.ID] { numbers.map { Channel.ID("\($0)") } }

    @Test func movesGoRoundAndPagesEnd() {
        var selection = ChannelSelection(ids(1...25), at: Channel.ID("3"))
        #expect(selection.index == 2)
        let moves: [(ChannelSelection.Move, Int)] = [
            (.up, 1), (.up, 0), (.up, 24), (.down, 0), (.pageUp, 0), (.pageDown, 10), (.pageDown, 20), (.pageDown, 24),
            (.first, 0), (.last, 24), (.pageUp, 14),
        ]
        for (move, index) in moves {
            selection.move(move)
            #expect(selection.index == index, "\(move)")
        }
    }

    /// The selected channel stays selected; what takes its place is, if it goes.
    @Test func theLineUpChanges() {
        var selection = ChannelSelection(ids(1...5), at: Channel.ID("4"))
        selection.replace(with: ids([0, 1, 2, 3, 4, 5]))
        #expect(selection.selected == Channel.ID("4") && selection.index == 4)
        selection.replace(with: ids([0, 1, 2, 3, 5]))
        #expect(selection.selected == Channel.ID("5"))
        selection.replace(with: ids([0]))
        #expect(selection.selected == Channel.ID("0"))
        selection.replace(with: [])
        #expect(selection.selected == nil && selection.index == 0)
        selection.move(.down)
        selection.replace(with: ids([8, 9]))
        #expect(selection.selected == Channel.ID("8"))
    }
}
