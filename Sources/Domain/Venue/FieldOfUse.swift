// SPDX-License-Identifier: Apache-2.0

/// The licence triplet (SVM-13…16). A channel is accessible only when all three texts match exactly, including case.
public struct FieldOfUse: Hashable, Sendable {
    public var venueName: String
    public var contentOwner: String
    public var appDeveloper: String

    public init(venueName: String, contentOwner: String, appDeveloper: String) {
        self.venueName = venueName
        self.contentOwner = contentOwner
        self.appDeveloper = appDeveloper
    }
}
