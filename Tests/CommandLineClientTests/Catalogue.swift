// SPDX-License-Identifier: Apache-2.0
import CommandLineClient
import Commands
import ControlClient

/// The commands of the service and those of the client itself.
let catalogue = Client.complete(CommandLineClient.catalogue, CommandLineClient.documents)
