import Client
import FullScreen
import Glibc
import MCP

exit(Searchctl.runProcess(adding: [LiveCommand.command, TopCommand.command, AgentCommand.command]))
