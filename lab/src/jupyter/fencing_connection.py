"""How the server meets a kernel that takes some seconds to start.

The server asks a new kernel every half second on two channels of its own who it is, shell and
control, and closes both with the first answer. The Rust kernel then answers the questions that are
left into closed channels. On the shell channel it takes note and goes on; on the control channel it
ends. So here both of the server's channels are shell channels.
"""

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class Connection(ZMQChannelsWebsocketConnection):
    """Asks on shell channels alone."""

    def nudge(self):
        manager = self.kernel_manager
        manager.connect_control = manager.connect_shell
        try:
            # The channels are made before this returns; the asking goes on after.
            return super().nudge()
        finally:
            del manager.connect_control
