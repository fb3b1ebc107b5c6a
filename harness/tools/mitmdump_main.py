"""mitmdump with what passes on connections and loads a script, and nothing else.

mitmproxy imports all of its add-ons whatever is asked of it, and with them a web framework, LDAP and viewers for a dozen
formats: more than half of the time that it takes to start. A recording needs seven of them.
"""

import os
import sys
import types

import mitmproxy

# Its own module imports every add-on; this stands in for it, and each is found by its own name.
package = types.ModuleType("mitmproxy.addons")
package.__path__ = [os.path.join(os.path.dirname(mitmproxy.__file__), "addons")]
sys.modules[package.__name__] = package

from mitmproxy import master  # noqa: E402
from mitmproxy.addons import core, disable_h2c, errorcheck, next_layer, proxyserver, script, tlsconfig  # noqa: E402
from mitmproxy.tools import cmdline, main  # noqa: E402


class RecordingMaster(master.Master):
    def __init__(self, options):
        super().__init__(options, with_termlog=True)
        self.addons.add(
            core.Core(),
            disable_h2c.DisableH2C(),
            proxyserver.Proxyserver(),
            script.ScriptLoader(),
            next_layer.NextLayer(),
            tlsconfig.TlsConfig(),
            errorcheck.ErrorCheck(),
        )


main.run(RecordingMaster, cmdline.mitmdump, None)
# All is written: taking the interpreter apart object by object would take longer than the rest of the end.
sys.stdout.flush()
sys.stderr.flush()
os._exit(0)
