"""How lit runs a unit test: test/unit/NAME.c is the program NAME in the build folder's test/unit."""
import os

import lit.formats
import lit.Test
import lit.util


class UnitTest(lit.formats.FileBasedTest):
    def __init__(self, folder):
        super().__init__()
        self.folder = folder

    def execute(self, test, lit_config):
        name = os.path.splitext(os.path.basename(test.getSourcePath()))[0]
        program = os.path.join(self.folder, name)
        if not os.path.exists(program):
            return lit.Test.UNRESOLVED, f"{program} is not built: is {name} in UNIT_TESTS of CMakeLists.txt?"
        out, err, status = lit.util.executeCommand([program], env=test.config.environment)
        return (lit.Test.FAIL if status else lit.Test.PASS), f"{out}\n{err}\nexit status {status}"
