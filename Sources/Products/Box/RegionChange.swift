// SPDX-License-Identifier: Apache-2.0
import Commands
import Scene
import Settings
import Venue

/// The region that results from applying the command `region` to a region as it is.
struct RegionChange {
    let region: Region

    /// - Parameter old: nil for a new region, for which the request has to give the whole area.
    init(_ request: CommandRequest, of old: Region?) throws(Status) {
        let name = request.text("name") ?? ""
        var region = old ?? Region(name: name)
        region.area = SceneArea(
            x: try Self.edge("x", request, old?.area.x), y: try Self.edge("y", request, old?.area.y),
            width: try Self.edge("width", request, old?.area.width),
            height: try Self.edge("height", request, old?.area.height))
        if let opacity = request.integer("opacity") { region.opacity = Int(clamping: opacity) }
        if let order = request.integer("order") { region.order = Int(clamping: order) }
        if let fit = request.text("fit").flatMap(PictureFit.init) { region.fit = fit }
        if let turn = request.text("rotation").flatMap({ Int($0) }).flatMap(QuarterTurn.init) { region.rotation = turn }
        if let text = request.text("crop") { region.crop = try Self.crop(text) }
        if let problem = region.area.problems.first { throw Self.refused(problem.field, problem) }
        if let problem = region.crop.problems.first { throw Self.refused("crop \(problem.field)", problem) }
        self.region = region
    }

    private static func edge(_ field: String, _ request: CommandRequest, _ old: Int?) throws(Status) -> Int {
        if let given = request.integer(field).map({ Int(clamping: $0) }) ?? old { return given }
        throw .failure(
            .failed, "\(field) is missing; expected ten-thousandths of the stage, because the region is a new one")
    }

    private static func crop(_ text: String) throws(Status) -> SceneArea {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard parts.count == 4, parts.allSatisfy((0...SceneArea.parts).contains), parts[2] > 0, parts[3] > 0 else {
            throw .failure(.failed, "crop is \"\(text)\"; expected X,Y,WIDTH,HEIGHT, each 0...10000 and not empty")
        }
        return SceneArea(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
    }

    private static func refused(
        _ field: String, _ problem: (field: String, value: Int, expectation: String)
    ) -> Status {
        .failure(.failed, "\(field) is \(problem.value); expected \(problem.expectation)")
    }
}
