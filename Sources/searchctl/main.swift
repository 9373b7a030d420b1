import Client
import Glibc
import MCP

exit(Searchctl.runProcess(adding: [AgentCommand.command]))
