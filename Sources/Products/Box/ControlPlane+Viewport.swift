// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Scene
import Venue

extension ControlPlane {
    /// Changes the part of the layout that is shown (MEET-46: a viewport shows a part of a gallery).
    /// - Returns: the viewport as it is now.
    /// - Throws: a failure that names field, value and expectation. Nothing has changed then.
    func changeViewport(_ request: CommandRequest) throws(Status) -> JSONValue {
        let old = layout.shown.stage.viewport
        var new = old
        if let name = request.text("region") {
            guard let region = layout.shown.stage.regions.first(where: { $0.name == name }) else {
                let known = layout.shown.stage.regions.map(\.name).joined(separator: ", ")
                throw .failure(.failed, "region '\(name)' is not of the layout: expected one of \(known)")
            }
            new = region.area
        }
        func given(_ field: String) -> Int? { request.integer(field).map { Int(clamping: $0) } }
        new.x = given("x") ?? new.x
        new.y = given("y") ?? new.y
        new.width = given("width") ?? new.width
        new.height = given("height") ?? new.height
        if let problem = new.problems.first {
            throw .failure(.failed, "\(problem.field) is \(problem.value); expected \(problem.expectation)")
        }
        if let direction = request.text("pan").flatMap(PanDirection.init(rawValue:)) { new = new.panned(direction) }
        guard new != old else { return old.json }
        var layout = layout.shown
        layout.stage.viewport = new
        put(layout, isChanged: true, transition(of: request, else: .cut))
        return new.json
    }
}
