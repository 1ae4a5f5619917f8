// SPDX-License-Identifier: Apache-2.0
import Diagnosing
import Inspection
import JSON
import Network
import Shapes
import System

/// The answer to `diagnose` where the service gives none: that it does not answer, and what can be told without it.
struct LocalDiagnosis {
    /// The name of the command.
    static let command = "diagnose"

    private let error: ControlClientError
    private let inspection: MachineInspection

    /// - Returns: nil if the service was not asked, because the command line is wrong.
    init?(of error: ControlClientError, inspection: MachineInspection = MachineInspection()) {
        if case .pathTooLong = error { return nil }
        self.error = error
        self.inspection = inspection
    }

    var diagnosis: ChainDiagnosis {
        var evidence = Evidence()
        evidence.service = service
        evidence.machine = inspection.evidence(storing: [Client.stateDirectory, DurableFile.parent(of: socket)])
        evidence.network.interfaces = NetworkInterface.all().map { own in
            Evidence.Network.Interface(own, addresses: LocalInterface.addresses(of: own.name))
        }
        return ChainDiagnosis(evidence, by: .client)
    }

    var answer: JSONValue { diagnosis.json }

    private var socket: String {
        switch error {
        case .unreachable(let path, _), .pathTooLong(let path, _), .broken(let path, _), .silent(let path),
            .closed(let path), .notOurs(let path):
            path
        }
    }

    private var service: Evidence.Service {
        switch error {
        case .unreachable(let path, let code):
            code == .notPermitted ? .refuses(socket: path) : .isNotRunning(socket: path)
        case .silent(let path): .isSilent(socket: path)
        case .pathTooLong, .broken, .closed, .notOurs: .isOdd(error.description)
        }
    }
}
