// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Shapes
import Venue

/// The feature that ends the service, and tells its version.
public final class Service: Feature {
    public static let summary = "the service's version and its end; the commands `version` and `shutdown`"

    /// How the service ends. The product provides this value.
    public struct Ending {
        /// Ends the service in good order, after the present turn of the loop.
        public var begin: () -> Void

        public init(begin: @escaping () -> Void) { self.begin = begin }
    }

    public static var commands: [Handler<Service>] { [Handler(ShowVersion.self), Handler(ShutDown.self)] }

    private let ending: Ending

    public init(_ context: FeatureContext) throws(Status) { ending = context.provided(Ending.self) }

    func shutDown() { ending.begin() }
}

struct ShowVersion: Command {
    static let about = About("version", "Show the version of the service", example: "")
    static let shape = Shape<Self>()

    func run(on service: Service) throws(Status) -> Version { Version() }
}

struct Version: Answer {
    static let shape = Shape<Self>([
        .value("version", \.version, .text, "semantic version"), .value("build", \.build, .text, "build id"),
    ])

    private var version: String { Build.version }
    private var build: String { Build.id }
}

struct ShutDown: Command {
    static let about = About("shutdown", "End the service in good order", role: .administrator)
    static let shape = Shape<Self>()

    func run(on service: Service) throws(Status) -> Done {
        service.shutDown()
        return Done()
    }
}
