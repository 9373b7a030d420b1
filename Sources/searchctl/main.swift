import Client
import Glibc

exit(Searchctl.runProcess())
