  // Collects the runs of an FSM's states as the golden files write them: "IDLE*1 MEAN*9".
  string runs;
  string run_name;
  int    run_length;

  task automatic runs_begin;
    runs       = "";
    run_name   = "";
    run_length = 0;
  endtask

  task automatic runs_close;
    if (run_length > 0) begin
      runs = {runs, runs == "" ? "" : " ", run_name, $sformatf("*%0d", run_length)};
    end
    run_length = 0;
  endtask

  task automatic runs_add(input string name);
    if (name != run_name) runs_close();
    run_name   = name;
    run_length = run_length + 1;
  endtask
