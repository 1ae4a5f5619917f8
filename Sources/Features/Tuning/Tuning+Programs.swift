// SPDX-License-Identifier: Apache-2.0
import LineUp
import Playback
import Venue

/// Programs of transport streams with several of them, by number and by name.
extension Tuning {
    /// The only channel that has a program of this name; nil if none is known.
    /// - Throws: if channels that are received in different ways have one.
    func channel(withProgram name: String) throws(Status) -> ListedChannel? {
        let entries = programs.current.channels(with: name).compactMap { lineUp.current[$0] }.sorted {
            $0.number < $1.number
        }
        guard Set(entries.map { $0.channel?.transport }).count < 2 else {
            let names = entries.prefix(8).map(\.name).joined(separator: ", ")
            throw .failure(
                .failed, "program '\(name)' is in several channels: expected '--program' with one of \(names)")
        }
        return entries.first
    }

    /// Refuses a program that a channel which is received cannot have.
    func check(_ program: ProgramChoice, of channel: Channel) throws(Status) {
        if case .elementary = channel.transport.encapsulation {
            throw .failure(
                .failed, "channel '\(channel.name)' has RTP sessions of its own for each stream: expected no program")
        }
        let playing = regions.all.compactMap(\.player.current).first { $0.source.channel?.id == channel.id }
        guard let known = playing?.programs, program.isRuledOut(by: known) else { return }
        throw .failure(
            .failed, "program \(program.text) is not in channel '\(channel.name)': expected one of \(known.text)")
    }

    /// - Parameter text: name, id or number of a channel; nil for all channels of the line-up.
    func programRows(of text: String?) throws(Status) -> [ProgramRow] {
        let lineUp = lineUp.current
        let wanted = if let text { [try lineUp.entry(of: text)] } else { lineUp.listed }
        let playing = regions.all.compactMap(\.player.current)
        return wanted.flatMap { entry in
            let played = playing.filter { $0.source.channel?.id == entry.id }.compactMap { $0.streams.first?.program }
            return programs.current[entry.id].map {
                ProgramRow(entry: entry, program: $0, isPlayed: played.contains($0.number))
            }
        }
    }

    /// The stream of the region's channel lists these programs.
    func heard(_ listed: [ListedProgram], in region: RegionPlayer) {
        guard let id = region.player.current?.source.channel?.id, let entry = lineUp.current[id],
            programs.current.heard(listed, on: id)
        else { return }
        context.emit(ProgramsChanged(id: id.text, channel: entry.name, programs: programs.current[id]))
    }
}
