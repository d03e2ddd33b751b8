#!/usr/bin/env bash
# Judges the queries and keys, or weights, of MCSIM_FILE with the program MCSIM; where there is
# none it draws the plan MCSIM_PLAN and judges its gates. Writes the verdict, the JUnit file and
# the folder of the results to GITHUB_OUTPUT, a summary to GITHUB_STEP_SUMMARY, and ends with
# the exit code of mcsim: 0 all gates pass, 1 one fails, 3 undecided; 2 is bad input.
set -euo pipefail

folder=${MCSIM_FOLDER:-}
# The folder goes into GITHUB_OUTPUT, a line of which it must not end.
case $folder in "" | *[[:cntrl:]]*)
	echo "::error::The folder is a path on one line."
	exit 2
	;;
esac
junit=$folder/junit.xml
judge=("${MCSIM:?}")
if [ -n "${MCSIM_FILE:-}" ]; then
	if [ -z "${MCSIM_CHECK:-}${MCSIM_GATE:-}" ]; then
		echo "::error::A file is judged by a check, such as 5%, or a gate, such as 0.2..3: one of these inputs is missing."
		exit 2
	fi
	mkdir -p -- "$folder"
	judge+=(inspect "--junit=$junit")
	if [ -n "${MCSIM_CHECK:-}" ]; then judge+=("--check=$MCSIM_CHECK"); fi
	if [ -n "${MCSIM_GATE:-}" ]; then judge+=("--gate=$MCSIM_GATE"); fi
	if [ -n "${MCSIM_SCALE:-}" ]; then judge+=("--scale=$MCSIM_SCALE"); fi
	judge+=(-- "$MCSIM_FILE")
else
	if [ -z "${MCSIM_PLAN:-}" ]; then
		echo "::error::The plan is a file, or the name of a ready plan such as default."
		exit 2
	fi
	# A gate that fails (1) or is undecided (3) is for verify to judge, so that its report is
	# written; anything else ends here.
	flags=(--fresh "--out=$folder")
	if [ -n "${MCSIM_SEED:-}" ]; then flags+=("--seed=$MCSIM_SEED"); fi
	if [ -n "${MCSIM_TOLERANCE:-}" ]; then flags+=("--tolerance=$MCSIM_TOLERANCE"); fi
	code=0
	"$MCSIM" run "${flags[@]}" -- "$MCSIM_PLAN" || code=$?
	case $code in 0 | 1 | 3) ;; *) exit "$code" ;; esac
	judge+=(verify "--junit=$junit" -- "$folder")
fi

code=0
said=$("${judge[@]}") || code=$?
printf '%s\n' "$said"
case $code in
0) verdict=pass ;;
1) verdict=fail ;;
3) verdict=undecided ;;
*) exit "$code" ;;
esac
{
	echo "verdict=$verdict"
	echo "junit=$junit"
	echo "results=$folder"
} >>"$GITHUB_OUTPUT"
{
	echo "### mcsim: $verdict"
	echo
	echo '```'
	printf '%s\n' "$said"
	echo '```'
} >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
exit "$code"
