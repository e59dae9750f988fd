import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["node_modules/", ".pytest_cache/", "var/", ".venv/", "bench/.venv/", "bench/.boardgame_io/"] },
  js.configs.recommended,
  {
    files: ["static/js/**"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["tests/js/**", "*.js"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
  {
    files: ["bench/**/*.cjs"],
    languageOptions: { sourceType: "commonjs", globals: globals.node },
  },
  {
    rules: {
      "array-callback-return": "error",
      "consistent-return": "off",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-implicit-coercion": "error",
      "no-param-reassign": "error",
      "no-shadow": "error",
      "no-unused-expressions": ["error", { allowShortCircuit: true }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
