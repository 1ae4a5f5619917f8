// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

/// The command line of the service.
public enum ServiceOptions {
    public static let all: [FieldDescription] = [
        .clientOption(
            "config", .formatted(.file),
            "Settings of the installation (default /etc/touchline/config.json; need not exist)."),
        .clientOption(
            "image", .formatted(.file),
            "Settings of the image, below all others (default /usr/share/touchline/config.json; need not exist)."),
        .clientOption("state", .formatted(.file), "What the box keeps (default /var/lib/touchline)."),
        .clientOption("socket", .formatted(.file), "Control socket (default: of the settings)."),
        .clientOption(
            "boards", .formatted(.file),
            "What boards say of their decoders (default /usr/share/touchline/boards; need not exist)."),
        .clientOption("version", .boolean, "Print the version."),
        .clientOption("help", .boolean, "Print what the options are."),
    ]
}
